import type { SequenceStep, StepTarget } from './sequences.ts'

/** What is wrong with the steps of a sequence. `stop`: it cannot start; `advice`: it can. */
export type StepProblem = { kind: 'stop' | 'advice'; step: number | null; message: string }

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

/** What is wrong with the steps themselves, whoever is to go through them. Conditions only lead on, so nothing goes round. */
export function stepProblems(steps: readonly SequenceStep[]): StepProblem[] {
  const problems: StepProblem[] = []
  const say = (kind: StepProblem['kind'], step: number | null, message: string) =>
    problems.push({ kind, step, message })
  if (!steps.some(({ kind }) => kind === 'mail')) say('stop', null, 'Please add at least one email.')
  const seen = new Set<number>()
  const reached = new Set([0])
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
      const hasMailBefore = steps.slice(0, place).some(({ kind }) => kind === 'mail')
      if (step.subject === '' && !(step.same_conversation && hasMailBefore))
        say('stop', step.id, 'This email has no subject yet.')
    }
    if (step.kind === 'mail' && steps[place - 1]?.kind === 'mail')
      say('advice', step.id, 'Nobody gets two automatic emails on one day: this one waits for the next day.')
  }
  return problems
}
