/** The queue refuses an entry: its owner has too many waiting, or it waited too long. */
export class QueueRefused extends Error {
  override readonly name = 'QueueRefused'
}

/** Who is waiting, and whether the result is still wanted. */
export type Asker = {
  /** The owner who has had least done lately is next, however much the others ask for. */
  owner: number
  /** What the work is expected to take, in any unit that all entries of the queue share; 1 by default. */
  cost?: number | undefined
  /** Long work may be held back while short work goes on. */
  isLong?: boolean | undefined
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
  /** Takes out the entry that is next, to be admitted by the caller; undefined when none may be now. Long ones only if `mayBeLong`. */
  next(mayBeLong?: boolean): Entry<Grant> | undefined
}

type Entry<Grant> = { cost: number; isLong: boolean; admit: (grant: Grant) => void }
/** `used` is the cost of what the owner has had done, as it counted at `usedAt`. */
type Line<Grant> = {
  owner: number
  running: number
  waiting: Entry<Grant>[]
  used: number
  usedAt: number
}

/** What an owner has had done counts half as much after this time. */
const HALF_LIFE_MS = 30_000
/** After so many half-lives it counts for nothing, and the owner is forgotten. */
const FORGOTTEN_MS = 20 * HALF_LIFE_MS

/**
 * A queue with a line for each owner. The next entry is of the owner with the least use lately, its own cost included: twelve
 * owners who ask for much do not keep waiting one who asks for little. Background work comes after all of them.
 */
export function makeTurnQueue<Grant>({ running, waiting, waitMs }: OwnerLimits): TurnQueue<Grant> {
  // In the order of their last turns, which decides among equals.
  const foreground = new Map<number, Line<Grant>>()
  const background = new Map<number, Line<Grant>>()

  /** Forgets owners whose use no longer counts. Those who are idle are in the order of their last turns. */
  const tidy = (lines: Map<number, Line<Grant>>): void => {
    const since = performance.now() - FORGOTTEN_MS
    for (const { owner, running: atWork, waiting: entries, usedAt } of lines.values()) {
      if (atWork > 0 || entries.length > 0) continue
      if (usedAt > since) return
      lines.delete(owner)
    }
  }

  return {
    async enter({ owner, signal, isBackground = false, cost = 1, isLong = false }) {
      signal?.throwIfAborted()
      const lines = isBackground ? background : foreground
      tidy(lines)
      const usedAt = performance.now()
      const line = lines.get(owner) ?? { owner, running: 0, waiting: [], used: 0, usedAt }
      if (!isBackground && line.waiting.length >= waiting) throw new QueueRefused('too many are waiting')
      lines.set(owner, line)
      const { promise, resolve, reject } = Promise.withResolvers<Admitted<Grant>>()

      const leave = (): void => {
        line.running -= 1
        // Owners who came while this entry was running go first.
        lines.delete(owner)
        lines.set(owner, line)
      }
      const admit = (grant: Grant): void => {
        stopWaiting()
        const now = performance.now()
        Object.assign(line, { used: usedBy(line, now) + cost, usedAt: now, running: line.running + 1 })
        resolve({ grant, leave })
      }
      const entry = { cost, isLong, admit }
      const giveUp = (reason: unknown): void => {
        stopWaiting()
        line.waiting.splice(line.waiting.indexOf(entry), 1)
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
      line.waiting.push(entry)
      return promise
    },

    next(mayBeLong = true) {
      const now = performance.now()
      for (const lines of [foreground, background]) {
        let first: { line: Line<Grant>; entry: Entry<Grant> } | undefined
        let least = Infinity
        for (const line of lines.values()) {
          if (line.running >= running) continue
          const entry = line.waiting.find(({ isLong }) => mayBeLong || !isLong)
          if (entry === undefined) continue
          const use = usedBy(line, now) + entry.cost
          if (use < least) [first, least] = [{ line, entry }, use]
        }
        if (first === undefined) continue
        first.line.waiting.splice(first.line.waiting.indexOf(first.entry), 1)
        return first.entry
      }
      return undefined
    },
  }
}

/** What an owner has had done, as it counts now. */
const usedBy = ({ used, usedAt }: Pick<Line<unknown>, 'used' | 'usedAt'>, now: number): number =>
  used * 0.5 ** ((now - usedAt) / HALF_LIFE_MS)
