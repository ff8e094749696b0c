import type { SequenceStep } from '#contract/sequences.ts'
import { localDay, nextDay, type SendingRules } from '../automatic-mail/automatic-mail.ts'
import { makeBreath } from '../breath.ts'
import { slotAfter, slotOf, whenAllowed } from './pace.ts'
import { type Facts, stepAfter, walkSteps } from './walk-steps.ts'

export type Forecast = {
  /** Days with mails, in order. */
  days: { day: string; mails: number }[]
  mails: number
  firstAt: Date | null
  lastAt: Date | null
  limitedBy: 'warm_up' | 'pace' | null
  complete: boolean
}

export type ForecastInput = {
  steps: readonly SequenceStep[]
  members: number
  now: Date
  zone: string
  rules: readonly SendingRules[]
  /** Mails in a slot, and how many have left in the present one. */
  aSlot: number
  inSlot: number
  /** Mails a day after so many earlier days with mails since now, today being 0; null: any number. */
  ceiling: (daysSent: number) => number | null
  sentToday: number
}

/** Members that are at the same place: they came here at the same time and had their last mail on the same day. */
type Group = { members: number; step: number; mailedOn: string }

/** Beyond this nothing is foreseen: enough for 100,000 contacts and five mails each at the usual pace. */
const GROUPS_MAX = 30_000
/** Nobody has replied, has been tagged, or has another status: what is assumed of everybody. */
const nobody = (): Facts => ({ replied: false, intent: null, status: '', tags: new Set() })

/**
 * How many mails leave on which day if so many contacts begin now and nobody replies. It does with groups what the engine
 * does with members.
 */
export async function forecast(input: ForecastInput): Promise<Forecast> {
  const breathe = makeBreath()
  const { steps, zone, rules, aSlot } = input
  const first = steps[0]?.id
  const sent = new Map<string, number>()
  const answer: Forecast = {
    days: [],
    mails: 0,
    firstAt: null,
    lastAt: null,
    limitedBy: null,
    complete: true,
  }
  const queue = new Queue()
  if (first !== undefined) queue.add(input.now, { members: input.members, step: first, mailedOn: '' })
  const today = localDay(input.now, zone)
  let slot = slotOf(input.now).getTime()
  let inSlot = input.inSlot
  let looked = 0
  const walk = (at: Date, group: Group, from: number | null) => {
    const end = walkSteps(steps, from, nobody(), { now: at, zone, keyOf: (tag) => tag })
    if (end.to === 'later') queue.add(end.at, { ...group, step: end.step })
    return end.to === 'mail' ? end.step.id : null
  }
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    const { at, group } = next
    looked += 1
    await breathe()
    if (looked > GROUPS_MAX) return finish(answer, sent, false)
    const mail = walk(at, group, group.step)
    if (mail === null) continue
    const waiting = { ...group, step: mail }
    const opens = whenAllowed(rules, zone, at)
    const day = localDay(at, zone)
    const tomorrow = () => whenAllowed(rules, zone, nextDay(at, zone))
    if (opens > at) {
      queue.add(opens, waiting)
      continue
    }
    if (group.mailedOn === day) {
      queue.add(tomorrow(), waiting)
      continue
    }
    if (slotOf(at).getTime() !== slot) [slot, inSlot] = [slotOf(at).getTime(), 0]
    const daysBefore = sent.size - (sent.has(day) ? 1 : 0)
    const ceiling = input.ceiling(daysBefore)
    const already = (sent.get(day) ?? 0) + (day === today ? input.sentToday : 0)
    const roomToday = ceiling === null ? Infinity : Math.max(0, ceiling - already)
    const roomNow = Math.max(0, aSlot - inSlot)
    const go = Math.min(group.members, roomToday, roomNow)
    if (go > 0) {
      sent.set(day, (sent.get(day) ?? 0) + go)
      inSlot += go
      answer.mails += go
      answer.firstAt ??= at
      answer.lastAt = at
      const after = walk(at, { ...group, members: go, mailedOn: day }, stepAfter(steps, mail))
      if (after !== null) queue.add(tomorrow(), { members: go, step: after, mailedOn: day })
    }
    const left = group.members - go
    if (left === 0) continue
    const isFull = roomToday <= roomNow
    answer.limitedBy = isFull ? 'warm_up' : (answer.limitedBy ?? 'pace')
    queue.add(isFull ? tomorrow() : whenAllowed(rules, zone, slotAfter(at)), {
      ...waiting,
      members: left,
      // Not today, so it does not matter when: groups that differ in nothing else become one.
      mailedOn: '',
    })
  }
  return finish(answer, sent, true)
}

function finish(answer: Forecast, sent: ReadonlyMap<string, number>, complete: boolean): Forecast {
  const days = [...sent].map(([day, mails]) => ({ day, mails })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return { ...answer, days, complete }
}

/** Groups by the time at which they are due; those at one time in the order in which they came. */
class Queue {
  readonly #groups = new Map<number, Group[]>()
  /** A heap of the times in it, the earliest first. */
  readonly #times: number[] = []

  add(at: Date, group: Group): void {
    const time = at.getTime()
    const there = this.#groups.get(time)
    if (there === undefined) {
      this.#groups.set(time, [group])
      this.#push(time)
      return
    }
    const same = there.find(({ step, mailedOn }) => step === group.step && mailedOn === group.mailedOn)
    if (same === undefined) there.push(group)
    else same.members += group.members
  }

  take(): { at: Date; group: Group } | undefined {
    const [time] = this.#times
    if (time === undefined) return undefined
    const groups = this.#groups.get(time) ?? []
    const group = groups.shift()
    if (groups.length === 0) {
      this.#groups.delete(time)
      this.#pop()
    }
    return group === undefined ? this.take() : { at: new Date(time), group }
  }

  #push(time: number): void {
    const heap = this.#times
    heap.push(time)
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1
      if ((heap[parent] ?? 0) <= time) return
      heap[at] = heap[parent] ?? 0
      heap[parent] = time
      at = parent
    }
  }

  #pop(): void {
    const heap = this.#times
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1
      if ((heap[child] ?? 0) >= last) break
      heap[at] = heap[child] ?? 0
      at = child
    }
    heap[at] = last
  }
}
