import { localDay, nextDay, type SendingRules, sendingWindow } from '../automatic-mail/automatic-mail.ts'
import { whenAllowed } from './pace.ts'

type Day = { day: string; begins: Date; ends: Date }
/** Hours in which a sequence may write, the next ones from an instant on. */
type Window = { from: Date; opens: Date; closes: Date }

/** When sequences may write, as asked for time after time: the wall clock is slow to work out, so what is known is kept. */
export class Calendar {
  readonly #zone: string
  readonly #rules: readonly (readonly SendingRules[])[]
  #day: Day | undefined
  /** Of each sequence: the hours that were found last, and when it may write on the day after one. */
  readonly #windows: (Window | undefined)[] = []
  readonly #tomorrow: ({ day: string; at: Date } | undefined)[] = []

  constructor(zone: string, rules: readonly (readonly SendingRules[])[]) {
    this.#zone = zone
    this.#rules = rules
  }

  /** The local day of a time, and when it ends. */
  dayOf(at: Date): Day {
    if (this.#day === undefined || at < this.#day.begins || at >= this.#day.ends)
      this.#day = { day: localDay(at, this.#zone), begins: at, ends: nextDay(at, this.#zone) }
    return this.#day
  }

  /** When a sequence may write from a time on. */
  opens(sequence: number, from: Date): Date {
    const known = this.#windows[sequence]
    if (known !== undefined && from >= known.from && from < known.closes)
      return from > known.opens ? from : known.opens
    const rules = this.#rules[sequence] ?? []
    const opens = whenAllowed(rules, this.#zone, from)
    const ends = rules.map((each) => sendingWindow(each, this.#zone, opens).closes.getTime())
    this.#windows[sequence] = {
      from,
      opens,
      closes: new Date(Math.min(...ends, nextDay(opens, this.#zone).getTime())),
    }
    return opens
  }

  /** When a sequence may write on the day after that of a time. */
  tomorrow(sequence: number, at: Date): Date {
    const { day, ends } = this.dayOf(at)
    const known = this.#tomorrow[sequence]
    if (known?.day === day) return known.at
    const found = whenAllowed(this.#rules[sequence] ?? [], this.#zone, ends)
    this.#tomorrow[sequence] = { day, at: found }
    return found
  }
}
