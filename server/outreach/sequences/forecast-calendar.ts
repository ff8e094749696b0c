import { localDay, nextDay, type SendingRules } from '../automatic-mail/automatic-mail.ts'
import { SLOT_MS, whenAllowed } from './pace.ts'

const HOUR_MS = 3_600_000
/** Hours that are open at two times so far apart are open between them. */
const STRIDES_H = [1, 2, 4]

type Day = { day: string; begins: number; ends: Date }

/** When sequences may write, as asked for time after time: the wall clock is slow to work out, so what is known is kept. */
export class Calendar {
  readonly #zone: string
  readonly #rules: readonly (readonly SendingRules[])[]
  #day: Day | undefined
  /** For each sequence, the stretch of time in which it is known that it may write. */
  readonly #open: ({ from: number; until: number } | undefined)[] = []
  /** For each sequence, the stretch in which it may not, up to when it may again. */
  readonly #closed: ({ from: number; until: Date } | undefined)[] = []
  readonly #tomorrow: ({ day: string; at: Date } | undefined)[] = []

  constructor(zone: string, rules: readonly (readonly SendingRules[])[]) {
    this.#zone = zone
    this.#rules = rules
  }

  /** The local day of a time, and when it ends. */
  dayOf(at: Date): Day {
    const time = at.getTime()
    if (this.#day === undefined || time < this.#day.begins || time >= this.#day.ends.getTime())
      this.#day = { day: localDay(at, this.#zone), begins: time, ends: nextDay(at, this.#zone) }
    return this.#day
  }

  /** When a sequence may write from a time on. */
  opens(sequence: number, from: Date): Date {
    const time = from.getTime()
    const known = this.#open[sequence]
    if (known !== undefined && time >= known.from && time <= known.until) return from
    const closed = this.#closed[sequence]
    if (closed !== undefined && time >= closed.from && time < closed.until.getTime()) return closed.until
    const found = this.#allowed(sequence, time)
    if (found > time) {
      const until = new Date(found)
      this.#closed[sequence] = { from: time, until }
      return until
    }
    if (known !== undefined && time > known.until && time - known.until <= SLOT_MS) known.until = time
    else this.#open[sequence] = { from: time, until: this.#openUntil(sequence, time) }
    return from
  }

  /** When a sequence may write on the day after that of a time. */
  tomorrow(sequence: number, at: Date): Date {
    const { day, ends } = this.dayOf(at)
    const known = this.#tomorrow[sequence]
    if (known?.day === day) return known.at
    const found = new Date(this.#allowed(sequence, ends.getTime()))
    this.#tomorrow[sequence] = { day, at: found }
    return found
  }

  /** A time until which a sequence may write that may write at another. */
  #openUntil(sequence: number, from: number): number {
    let until = from
    for (const stride of STRIDES_H)
      if (this.#allowed(sequence, until + stride * HOUR_MS) === until + stride * HOUR_MS)
        until += stride * HOUR_MS
      else break
    return until
  }

  #allowed(sequence: number, from: number): number {
    return whenAllowed(this.#rules[sequence] ?? [], this.#zone, new Date(from)).getTime()
  }
}
