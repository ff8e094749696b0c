import { Temporal } from 'temporal-polyfill'
import { placeOfTarget } from '#contract/outreach/sequence-steps.ts'
import type { SequenceCondition, SequenceStep } from '#contract/outreach/sequences.ts'

export type MailStep = Extract<SequenceStep, { kind: 'mail' }>
export type WaitStep = Extract<SequenceStep, { kind: 'wait' }>
/** Steps that change something in Howl and are done at once. */
export type Effect = Extract<SequenceStep, { kind: 'task' | 'tag' }>

/** What conditions ask about a contact. `tags` are as tags are compared; effects of a walk change them. */
export type Facts = {
  replied: boolean
  /** Of the newest reply. */
  intent: string | null
  status: string
  tags: Set<string>
}

/** What is done on a walk, and where it ends: before a mail, at a step that is due later, or at the end. */
export type Walk = { effects: Effect[] } & (
  | { to: 'mail'; step: MailStep }
  | { to: 'later'; step: number; at: Date }
  | { to: 'end' }
)

const SATURDAY = 6

/**
 * Goes through the steps from one on, as far as a member gets now. Steps only lead on, so it ends. A step that is not among
 * them is the end. `keyOf` makes of a tag's name how it is compared.
 */
export function walkSteps(
  steps: readonly SequenceStep[],
  from: number | null,
  facts: Facts,
  { now, zone, keyOf }: { now: Date; zone: string; keyOf: (tag: string) => string },
): Walk {
  const effects: Effect[] = []
  let place = steps.findIndex(({ id }) => id === from)
  while (place >= 0) {
    const step = steps[place]
    if (step === undefined) break
    if (step.kind === 'mail') return { effects, to: 'mail', step }
    if (step.kind === 'wait') {
      const next = steps[place + 1]
      if (next === undefined) break
      return { effects, to: 'later', step: next.id, at: endOfWait(step, now, zone) }
    }
    if (step.kind === 'condition') {
      const target = holds(step.if, facts, keyOf) ? step.met : step.otherwise
      const next = placeOfTarget(steps, place, target)
      // A step that is gone is passed over; the check refuses to start what leads back.
      place = next > place ? next : place + 1
      continue
    }
    if (step.kind === 'tag') facts.tags[step.act === 'add' ? 'add' : 'delete'](keyOf(step.tag))
    effects.push(step)
    place += 1
  }
  return { effects, to: 'end' }
}

/** The step below a step; null at the end. */
export function stepAfter(steps: readonly SequenceStep[], id: number): number | null {
  const place = steps.findIndex((step) => step.id === id)
  return place < 0 ? null : (steps[place + 1]?.id ?? null)
}

/**
 * Where somebody goes on who was before a step of the old steps: at the same step, or at the next of the old ones that is
 * left. Null: none is left, so it is the end.
 */
export function sameStep(
  old: readonly SequenceStep[],
  steps: readonly SequenceStep[],
  id: number,
): number | null {
  const left = new Set(steps.map((step) => step.id))
  const place = old.findIndex((step) => step.id === id)
  return old.slice(Math.max(place, 0)).find((step) => left.has(step.id))?.id ?? null
}

/**
 * When a wait ends. Days are those of the wall clock in `zone`: the same time of day, or the next that there is on a day of a
 * change to summer time. Working days are Monday to Friday.
 */
export function endOfWait(
  { amount, unit }: Pick<WaitStep, 'amount' | 'unit'>,
  from: Date,
  zone: string,
): Date {
  const begin = Temporal.Instant.fromEpochMilliseconds(from.getTime())
  if (unit === 'hours') return new Date(begin.add({ hours: amount }).epochMilliseconds)
  const local = begin.toZonedDateTimeISO(zone)
  const days = unit === 'days' ? amount : daysUntilWorkingDay(local.toPlainDate(), amount)
  return new Date(local.add({ days }).epochMilliseconds)
}

/** How many days pass until so many working days have begun. */
function daysUntilWorkingDay(from: Temporal.PlainDate, amount: number): number {
  let days = 0
  for (let left = amount; left > 0;) {
    days += 1
    if (from.add({ days }).dayOfWeek < SATURDAY) left -= 1
  }
  return days
}

function holds(condition: SequenceCondition, facts: Facts, keyOf: (tag: string) => string): boolean {
  switch (condition.about) {
    case 'replied':
      return facts.replied
    case 'intent':
      return facts.intent === condition.intent
    case 'status':
      return facts.status === condition.status
    default:
      return facts.tags.has(keyOf(condition.tag))
  }
}
