import type { SequenceStep, StepTarget } from '#contract/outreach/sequences.ts'

export type StepKind = SequenceStep['kind']
export type ConditionStep = Extract<SequenceStep, { kind: 'condition' }>
type Steps = readonly SequenceStep[]

const ID_MAX = 1_000_000

/**
 * A number that no step has. It is drawn by lot: a step that was removed may still be known to members of an older
 * version, so the next one in order could mean something else to them.
 */
export function freshId(steps: Steps): number {
  const taken = new Set(steps.map(({ id }) => id))
  for (;;) {
    const id = 1000 + Math.floor(Math.random() * (ID_MAX - 1000))
    if (!taken.has(id)) return id
  }
}

/** A step as it is when it is added. */
export function newStep(kind: StepKind, id: number): SequenceStep {
  if (kind === 'mail') return { id, kind, template_id: null, subject: '', body: '', same_conversation: true }
  if (kind === 'wait') return { id, kind, amount: 3, unit: 'working_days' }
  if (kind === 'task') return { id, kind, title: '', due_in_days: 0 }
  if (kind === 'tag') return { id, kind, act: 'add', tag: '' }
  return { id, kind, if: { about: 'replied' }, met: 'end', otherwise: 'next' }
}

export function insertStep(steps: Steps, at: number, step: SequenceStep): SequenceStep[] {
  return withForwardTargets([...steps.slice(0, at), step, ...steps.slice(at)])
}

export function replaceStep(steps: Steps, step: SequenceStep): SequenceStep[] {
  return steps.map((each) => (each.id === step.id ? step : each))
}

/** Moves a step up (-1) or down (1), as far as there is room. */
export function moveStep(steps: Steps, id: number, by: -1 | 1): SequenceStep[] {
  const from = steps.findIndex((step) => step.id === id)
  const to = from + by
  const step = steps[from]
  if (step === undefined || to < 0 || to >= steps.length) return [...steps]
  return withForwardTargets(steps.toSpliced(from, 1).toSpliced(to, 0, step))
}

/** Removes a step; conditions that led to it lead to the step after it. */
export function removeStep(steps: Steps, id: number): SequenceStep[] {
  const at = steps.findIndex((step) => step.id === id)
  const after = steps[at + 1]?.id ?? 'end'
  const led = (target: StepTarget) => (target === id ? after : target)
  return withForwardTargets(
    steps
      .filter((step) => step.id !== id)
      .map((step) =>
        step.kind === 'condition' ? { ...step, met: led(step.met), otherwise: led(step.otherwise) } : step,
      ),
  )
}

/** A condition leads only to later steps: where it no longer does, it leads to the next one. */
function withForwardTargets(steps: Steps): SequenceStep[] {
  return steps.map((step, at) => {
    if (step.kind !== 'condition') return step
    const later = new Set(steps.slice(at + 1).map(({ id }) => id))
    const forward = (target: StepTarget): StepTarget =>
      typeof target === 'number' && !later.has(target) ? 'next' : target
    return { ...step, met: forward(step.met), otherwise: forward(step.otherwise) }
  })
}

/** The place of the step that a target of the step at `at` means; the number of steps for the end. */
export function placeOf(steps: Steps, at: number, target: StepTarget): number {
  if (target === 'next') return at + 1
  if (target === 'end') return steps.length
  const place = steps.findIndex(({ id }) => id === target)
  return place === -1 ? at + 1 : place
}

/** How deep each step stands in the branches of conditions, and whether anybody ever comes to it. */
export function layOut(steps: Steps): { depth: number; isReached: boolean }[] {
  const laid = steps.map(() => ({ depth: 0, isReached: false }))
  for (const [at, step] of steps.entries()) {
    const here = laid[at]
    if (here === undefined) continue
    if (at === 0) here.isReached = true
    if (!here.isReached) continue
    const places =
      step.kind === 'condition'
        ? [placeOf(steps, at, step.met), placeOf(steps, at, step.otherwise)]
        : [at + 1]
    for (const place of places) {
      const next = laid[place]
      if (next !== undefined) next.isReached = true
    }
    const [near = at, far = at] = places.toSorted((one, other) => one - other)
    // A branch that ends at once leaves one way, which needs no indent.
    if (far < steps.length) for (const inside of laid.slice(near, far)) inside.depth += 1
  }
  return laid
}

/** Who waits at a step: the step that is next for them, and how many they are. */
export type Waiting = { next: number; count: number }

/**
 * Who waits at a step. Whoever goes on after a wait is shown at the wait.
 *
 * @param countBefore how many have this step before them
 */
export function waitingAt(
  steps: Steps,
  at: number,
  countBefore: (step: SequenceStep) => number,
): Waiting | null {
  const [before, step, after] = [steps[at - 1], steps[at], steps[at + 1]]
  const those = [
    ...(step === undefined || before?.kind === 'wait' ? [] : [step]),
    ...(step?.kind === 'wait' && after !== undefined ? [after] : []),
  ]
  const counted = those.map((each) => ({ next: each.id, count: countBefore(each) }))
  const count = counted.reduce((sum, each) => sum + each.count, 0)
  const most = counted.toSorted((one, other) => other.count - one.count)[0]
  return count === 0 || most === undefined ? null : { next: most.next, count }
}

/** How many contacts wait because their email would have a gap; 0 while the figures are not known. */
export const countWithGap = (figures: { steps: readonly { with_gap: number }[] } | undefined): number =>
  figures?.steps.reduce((sum, step) => sum + step.with_gap, 0) ?? 0
