/** The queue refuses an entry: its owner has too many waiting, or it waited too long. */
export class QueueRefused extends Error {
  override readonly name = 'QueueRefused'
}

/** Who is waiting, and whether the result is still wanted. */
export type Asker = {
  /** Owners take turns, however much each of them asks for. */
  owner: number
  /** Takes the entry out of the queue while it waits. */
  signal?: AbortSignal | undefined
  /** Comes after everything else, and waits without a limit. */
  isBackground?: boolean | undefined
}

/** The limits of one owner: entries running at once, entries waiting, and how long one of them may wait. */
export type OwnerLimits = { running: number; waiting: number; waitMs: number }

/** An entry whose turn it is. `leave` is called once, when its work has ended. */
export type Admitted<Grant> = { grant: Grant; leave: () => void }

export type TurnQueue<Grant> = {
  /** Waits for a turn. @throws QueueRefused, or the signal's reason */
  enter(asker: Asker): Promise<Admitted<Grant>>
  /** Whoever is next is admitted by calling what comes back; undefined when nobody may be admitted now. */
  next(): ((grant: Grant) => void) | undefined
}

type Line<Grant> = { owner: number; running: number; waiting: ((grant: Grant) => void)[] }

/** A queue with a line for each owner; the lines take turns, and background work comes after all of them. */
export function makeTurnQueue<Grant>({ running, waiting, waitMs }: OwnerLimits): TurnQueue<Grant> {
  // In the order of their turns.
  const foreground = new Map<number, Line<Grant>>()
  const background = new Map<number, Line<Grant>>()

  const tidy = (lines: Map<number, Line<Grant>>, line: Line<Grant>): void => {
    if (line.running === 0 && line.waiting.length === 0) lines.delete(line.owner)
  }

  return {
    async enter({ owner, signal, isBackground = false }) {
      signal?.throwIfAborted()
      const lines = isBackground ? background : foreground
      const line = lines.get(owner) ?? { owner, running: 0, waiting: [] }
      if (!isBackground && line.waiting.length >= waiting) throw new QueueRefused('too many are waiting')
      lines.set(owner, line)
      const { promise, resolve, reject } = Promise.withResolvers<Admitted<Grant>>()

      const leave = (): void => {
        line.running -= 1
        // Owners who came while this entry was running go first.
        lines.delete(owner)
        lines.set(owner, line)
        tidy(lines, line)
      }
      const admit = (grant: Grant): void => {
        stopWaiting()
        line.running += 1
        resolve({ grant, leave })
      }
      const giveUp = (reason: unknown): void => {
        stopWaiting()
        line.waiting.splice(line.waiting.indexOf(admit), 1)
        tidy(lines, line)
        reject(reason)
      }
      const onAbort = (): void => giveUp(signal?.reason)
      const timer =
        isBackground || waitMs === Infinity
          ? undefined
          : setTimeout(() => giveUp(new QueueRefused('it waited too long')), waitMs)
      const stopWaiting = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }

      signal?.addEventListener('abort', onAbort, { once: true })
      line.waiting.push(admit)
      return promise
    },

    next() {
      for (const lines of [foreground, background])
        for (const line of lines.values())
          if (line.running < running) {
            const admit = line.waiting.shift()
            if (admit !== undefined) return admit
          }
      return undefined
    },
  }
}
