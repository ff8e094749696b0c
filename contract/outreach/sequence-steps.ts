import type { SequenceStep, StepTarget } from './sequences.ts'

/** What is wrong with the steps of a sequence. `stop`: it cannot start; `advice`: it can. */
export type StepProblem = { kind: 'stop' | 'advice'; step: number | null; message: string }

const NO_SUBJECT = 'This email has no subject yet.'
const MAY_BE_FIRST =
  'Some contacts get to this email without an email before it, so it needs a subject of its own.'

/** The place of a step that a condition leads to; the number of steps for the end; -1 if there is no such step. */
export function placeOfTarget(steps: readonly SequenceStep[], from: number, target: StepTarget): number {
  if (target === 'next') return from + 1
  if (target === 'end') return steps.length
  return steps.findIndex(({ id }) => id === target)
}

/** The places to which a step may lead. */
function leadsTo(steps: readonly SequenceStep[], from: number): number[] {
  const step = steps[from]
  if (step?.kind !== 'condition') return [from + 1]
  return [placeOfTarget(steps, from, step.met), placeOfTarget(steps, from, step.otherwise)]
}

/**
 * The places of the mails that are the first one on some path: a condition may lead past the mails that stand before. Such a
 * mail has nothing to answer.
 */
export function firstMails(steps: readonly SequenceStep[]): Set<number> {
  const first = new Set<number>()
  // Where somebody may be who has had no mail yet. Steps only lead on, so one look at each is enough.
  const unwritten = new Set([0])
  for (const [place, { kind }] of steps.entries()) {
    if (!unwritten.has(place)) continue
    if (kind === 'mail') first.add(place)
    else for (const target of leadsTo(steps, place)) unwritten.add(target)
  }
  return first
}

/** What is wrong with the steps themselves, whoever is to go through them. Conditions only lead on, so nothing goes round. */
export function stepProblems(steps: readonly SequenceStep[]): StepProblem[] {
  const problems: StepProblem[] = []
  const say = (kind: StepProblem['kind'], step: number | null, message: string) =>
    problems.push({ kind, step, message })
  if (!steps.some(({ kind }) => kind === 'mail')) say('stop', null, 'Please add at least one email.')
  const seen = new Set<number>()
  const reached = new Set([0])
  const first = firstMails(steps)
  for (const [place, step] of steps.entries()) {
    if (seen.has(step.id)) say('stop', step.id, 'Two steps have the same number.')
    seen.add(step.id)
    const targets = leadsTo(steps, place)
    if (targets.some((target) => target <= place))
      say('stop', step.id, 'A condition can only go on at a step further down.')
    if (reached.has(place)) for (const target of targets) reached.add(target)
    else say('advice', step.id, 'Nobody gets to this step.')
    if (step.kind === 'mail' && step.template_id === null) {
      if (step.body === '') say('stop', step.id, 'This email has no text yet.')
      const before = steps.slice(0, place).some(({ kind }) => kind === 'mail')
      if (step.subject === '' && !(step.same_conversation && before)) say('stop', step.id, NO_SUBJECT)
      else if (step.subject === '' && first.has(place)) say('stop', step.id, MAY_BE_FIRST)
    }
    if (step.kind === 'mail' && steps[place - 1]?.kind === 'mail')
      say('advice', step.id, 'Nobody gets two automatic emails on one day: this one waits for the next day.')
  }
  return problems
}
