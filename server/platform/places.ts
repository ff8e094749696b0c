/**
 * Places for work that goes on at the same time, taken in the order of coming.
 *
 * @param mayWait asked with how many wait already; it throws when they are too many
 * @returns what takes a place, and gives what leaves it again; it throws the reason of a signal that is aborted before or meanwhile
 */
export function makePlaces(
  atOnce: number,
  mayWait: (waiting: number) => void = () => {},
): (signal: AbortSignal) => Promise<() => void> {
  let inside = 0
  const waiting: (() => void)[] = []
  // The place goes straight to the one that has waited longest, so that no newcomer takes it in between.
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) inside -= 1
    else next()
  }
  return async (signal) => {
    signal.throwIfAborted()
    if (inside < atOnce) {
      inside += 1
      return leave
    }
    mayWait(waiting.length)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push(resolve)
    const giveUp = () => {
      const at = waiting.indexOf(resolve)
      // A place that was handed over at this moment is taken.
      if (at < 0) return
      waiting.splice(at, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
    return leave
  }
}
