import type { SendingRules } from '../automatic-mail/automatic-mail.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import { makeBreath } from '../../platform/breath.ts'
import { tagKey } from '../../crm/contacts/contacts.ts'
import { Calendar } from './forecast-calendar.ts'
import { type Group, GroupQueue, keyOf } from './forecast-queue.ts'
import { slotAfter, slotOf } from './pace.ts'
import { stepAfter, walkSteps } from './walk-steps.ts'

export type Forecast = ReplyOf<typeof sequences.forecast>

export type ForecastInput = {
  /** When each sequence writes: first the one that is asked about, then the others that send through the same account. */
  rules: readonly (readonly SendingRules[])[]
  /** Who is due when. */
  due: readonly { at: Date; group: Group }[]
  /** How many contacts are in two of the sequences, by their places; of a sequence with itself 0. */
  inBoth: (one: number, other: number) => number
  now: Date
  zone: string
  /** Mails in a slot, and how many have left in the present one. */
  aSlot: number
  inSlot: number
  /** Mails a day after so many earlier days with mails since now, today being 0; null: any number. */
  ceiling: (daysSent: number) => number | null
  sentToday: number
}

/** Beyond this nothing is foreseen: enough for 100,000 contacts and five mails each at the usual pace. */
const GROUPS_MAX = 80_000
/** Where several sequences want to send at a time, the smallest sends to those who wait in about so many turns. */
const TURNS = 4

/**
 * How many mails of a sequence leave on which day if nobody replies and nobody else comes in. It does with groups what the
 * engine does with members, and with the groups of all sequences that send through the account: they share its pace and its
 * ceiling.
 *
 * A contact that is in two sequences gets one automatic mail a day. Groups do not know who is in which other one. So of those
 * whose turn it is, as many wait until tomorrow as have had a mail today on average: if 30 of 100 members are in another
 * sequence too, and that has written to half of its members today, 15 wait. The sum of mails is the same either way; a day may
 * be a few mails off.
 */
export function forecast(input: ForecastInput): Promise<Forecast> {
  return new Outlook(input).run()
}

type Moment = { at: Date; day: string; ends: Date }

class Outlook {
  readonly #input: ForecastInput
  readonly #queue = new GroupQueue()
  readonly #calendar: Calendar
  /** Of each sequence: who is before a mail and waits for a turn, the longest first, and when the next turn is. */
  readonly #waiting: { groups: Map<string, Group>; turn: Date | null }[]
  /** Of each sequence: members that are not at the end. */
  readonly #open: number[]
  /** Of each sequence: members at the beginning, and mails of the present day. */
  readonly #members: number[]
  readonly #today: { day: string; mails: number[] }
  /** What is left of rounding who waits until tomorrow. */
  readonly #rests = new Map<number, number>()
  readonly #sent = new Map<string, number>()
  readonly #own = new Map<string, number>()
  readonly #firstDay: string
  #slot: number
  #inSlot: number
  #looked = 0
  /** Mails of the others so far, and when the last own one left. */
  #others = 0
  #answer: Omit<Forecast, 'days' | 'complete'> = {
    mails: 0,
    others: 0,
    first_at: null,
    last_at: null,
    limited_by: null,
  }

  constructor(input: ForecastInput) {
    this.#input = input
    this.#calendar = new Calendar(input.zone, input.rules)
    this.#waiting = input.rules.map(() => ({ groups: new Map<string, Group>(), turn: null }))
    this.#members = input.rules.map(() => 0)
    for (const { at, group } of input.due) {
      this.#members[group.sequence] = (this.#members[group.sequence] ?? 0) + group.members
      this.#queue.add(at, group)
    }
    this.#open = [...this.#members]
    this.#today = { day: this.#calendar.dayOf(input.now).day, mails: input.rules.map(() => 0) }
    this.#firstDay = this.#today.day
    this.#slot = slotOf(input.now).getTime()
    this.#inSlot = input.inSlot
  }

  async run(): Promise<Forecast> {
    const breathe = makeBreath()
    while ((this.#open[0] ?? 0) > 0) {
      const at = this.#next()
      if (at === undefined) break
      if (this.#looked > GROUPS_MAX) return this.#finish(false)
      this.#look({ at, ...this.#calendar.dayOf(at) }, this.#queue.take(at))
      await breathe()
    }
    return this.#finish(true)
  }

  /** When something happens next. */
  #next(): Date | undefined {
    let next = this.#queue.first()
    for (const { turn } of this.#waiting)
      if (turn !== null && (next === undefined || turn < next)) next = turn
    return next
  }

  #finish(complete: boolean): Forecast {
    const days = [...this.#own].map(([day, mails]) => ({ day, mails }))
    return { ...this.#answer, days: days.toSorted((a, b) => (a.day < b.day ? -1 : 1)), complete }
  }

  /** Takes groups on that are due at one time. */
  #look(moment: Moment, groups: readonly Group[]): void {
    const { at, day } = moment
    if (day !== this.#today.day) {
      this.#today.day = day
      this.#today.mails.fill(0)
    }
    this.#looked += groups.length
    for (const group of groups) {
      const before = this.#walk(moment, group, group.step)
      if (before === null) continue
      const opens = this.#calendar.opens(group.sequence, at)
      if (opens > at) this.#queue.add(opens, this.#fresh(moment, before, opens))
      else if (before.mailedOn === day) this.#tomorrow(moment, before)
      else this.#wait(at, { ...before, mailedOn: '' })
    }
    const turns = [...this.#waiting.keys()].filter((sequence) => this.#turnOf(sequence) <= at.getTime())
    if (turns.length > 0) this.#share(moment, turns)
  }

  #turnOf(sequence: number): number {
    return this.#waiting[sequence]?.turn?.getTime() ?? Infinity
  }

  #wait(at: Date, group: Group): void {
    const waiting = this.#waiting[group.sequence]
    if (waiting === undefined) return
    const key = keyOf(group)
    const same = waiting.groups.get(key)
    waiting.groups.set(key, same === undefined ? group : { ...same, members: same.members + group.members })
    waiting.turn ??= at
  }

  /** Each sequence in turn gets its part of what may leave now; what one does not take is left to the others. */
  #share(moment: Moment, turns: readonly number[]): void {
    const { at, day } = moment
    const slot = slotOf(at).getTime()
    if (slot !== this.#slot) [this.#slot, this.#inSlot] = [slot, 0]
    const { ceiling: ceilingOf, sentToday } = this.#input
    const ceiling = ceilingOf(this.#sent.size - (this.#sent.has(day) ? 1 : 0))
    const already = (this.#sent.get(day) ?? 0) + (day === this.#firstDay ? sentToday : 0)
    let today = ceiling === null ? Infinity : Math.max(0, ceiling - already)
    let soon = Math.max(0, this.#input.aSlot - this.#inSlot)
    const { mails } = this.#today
    // What cannot be divided evenly goes to the one that has sent the fewest.
    let waiting = turns.toSorted((one, other) => (mails[one] ?? 0) - (mails[other] ?? 0) || one - other)
    const isWaiting = (sequence: number) => (this.#waiting[sequence]?.groups.size ?? 0) > 0
    while (waiting.length > 0 && Math.min(today, soon) > 0) {
      // A few at a time: who is in two sequences hears from the one as often as from the other.
      const few = Math.ceil(Math.min(...waiting.map((sequence) => this.#count(sequence))) / TURNS)
      const even = Math.floor(Math.min(today, soon) / waiting.length)
      const part = waiting.length === 1 ? Infinity : Math.max(1, Math.min(even, few))
      for (const sequence of waiting) {
        const sent = this.#send(moment, sequence, Math.min(part, today, soon))
        today -= sent
        soon -= sent
      }
      waiting = waiting.filter(isWaiting)
    }
    const isFull = today <= soon
    for (const sequence of turns) {
      const line = this.#waiting[sequence]
      if (line === undefined) continue
      line.turn = !isWaiting(sequence)
        ? null
        : isFull
          ? this.#calendar.tomorrow(sequence, at)
          : this.#calendar.opens(sequence, slotAfter(at))
      if (sequence === 0 && line.turn !== null)
        this.#answer.limited_by = isFull ? 'warm_up' : (this.#answer.limited_by ?? 'pace')
    }
  }

  /** How many members of a sequence wait for a turn. */
  #count(sequence: number): number {
    let members = 0
    for (const group of this.#waiting[sequence]?.groups.values() ?? []) members += group.members
    return members
  }

  /** Sends at most so many mails of a sequence; returns how many. */
  #send(moment: Moment, sequence: number, most: number): number {
    const groups = this.#waiting[sequence]?.groups ?? new Map<string, Group>()
    let sent = 0
    for (const [key, group] of groups) {
      if (sent >= most) break
      this.#looked += 1
      const { members } = group
      const busy = this.#busy(sequence, members)
      const go = Math.min(members - busy, most - sent)
      // Of those whose turn it is, the same part has had a mail.
      const later = go === members - busy ? busy : Math.floor((busy * go) / (members - busy))
      if (go + later === members) groups.delete(key)
      else groups.set(key, { ...group, members: members - go - later })
      sent += go
      if (later > 0) this.#tomorrow(moment, { ...group, members: later })
      if (go === 0) continue
      this.#note(moment, sequence, go)
      const after = { ...group, members: go, mailedOn: moment.day }
      const next = this.#walk(moment, after, stepAfter(group.steps, group.step))
      if (next !== null) this.#tomorrow(moment, next)
    }
    return sent
  }

  /** How many of these members have had a mail of another sequence today, on average. */
  #busy(sequence: number, members: number): number {
    let part = this.#rests.get(sequence) ?? 0
    for (const [other, mails] of this.#today.mails.entries()) {
      if (mails === 0) continue
      const pairs = (this.#members[sequence] ?? 0) * (this.#members[other] ?? 0)
      part += (members * mails * this.#input.inBoth(sequence, other)) / Math.max(1, pairs)
    }
    const busy = Math.min(members, Math.floor(part))
    this.#rests.set(sequence, part >= members ? 0 : part - busy)
    return busy
  }

  #note({ at, day }: Moment, sequence: number, mails: number): void {
    this.#sent.set(day, (this.#sent.get(day) ?? 0) + mails)
    this.#today.mails[sequence] = (this.#today.mails[sequence] ?? 0) + mails
    this.#inSlot += mails
    if (sequence !== 0) {
      this.#others += mails
      return
    }
    this.#own.set(day, (this.#own.get(day) ?? 0) + mails)
    const now = at.toISOString()
    this.#answer = {
      ...this.#answer,
      mails: this.#answer.mails + mails,
      first_at: this.#answer.first_at ?? now,
      last_at: now,
      others: this.#others,
    }
  }

  /** Takes a group on from a step; the group before its mail, or null where it is settled for now. */
  #walk(moment: Moment, group: Group, from: number | null): Group | null {
    const { at } = moment
    const facts = { replied: false, intent: null, status: group.status, tags: new Set(group.tags) }
    const end = walkSteps(group.steps, from, facts, { now: at, zone: this.#input.zone, keyOf: tagKey })
    const tags = [...facts.tags].toSorted()
    if (end.to === 'mail') return { ...group, step: end.step.id, tags }
    if (end.to === 'later')
      this.#queue.add(end.at, this.#fresh(moment, { ...group, step: end.step, tags }, end.at))
    else this.#open[group.sequence] = (this.#open[group.sequence] ?? 0) - group.members
    return null
  }

  #tomorrow(moment: Moment, group: Group): void {
    this.#queue.add(this.#calendar.tomorrow(group.sequence, moment.at), { ...group, mailedOn: '' })
  }

  /** A group without the mail of another day, which does not matter then: those that differ in nothing else become one. */
  #fresh(moment: Moment, group: Group, until: Date): Group {
    return until < moment.ends ? group : { ...group, mailedOn: '' }
  }
}
