import { expect, test } from 'vitest'
import { type SequenceStep, sequences } from '#contract/outreach/sequences.ts'
import { stepProblems } from '#contract/outreach/sequence-steps.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { freshId, insertStep, layOut, moveStep, newStep, removeStep, waitingAt } from './edit-steps.ts'
import { draftOf, EXAMPLES } from './examples.ts'

const wait = (id: number): SequenceStep => ({ id, kind: 'wait', amount: 1, unit: 'days' })
const condition = (id: number, met: 'next' | 'end' | number, otherwise: 'next' | 'end' | number) =>
  ({ id, kind: 'condition', if: { about: 'replied' }, met, otherwise }) satisfies SequenceStep
const ids = (steps: readonly SequenceStep[]) => steps.map(({ id }) => id)
const found = (steps: readonly SequenceStep[], id: number) => steps.find((step) => step.id === id)

test('a step is put in between two others and moved, never beyond the ends', () => {
  const steps = insertStep([wait(1), wait(2)], 1, wait(3))
  expect(ids(steps)).toEqual([1, 3, 2])
  expect(ids(moveStep(steps, 3, 1))).toEqual([1, 2, 3])
  expect(ids(moveStep(steps, 3, -1))).toEqual([3, 1, 2])
  expect(ids(moveStep(steps, 1, -1))).toEqual([1, 3, 2])
  expect(ids(moveStep(steps, 2, 1))).toEqual([1, 3, 2])
})

test('a condition that would lead back leads to the next step', () => {
  const steps = [condition(1, 2, 3), wait(2), wait(3)]
  expect(found(moveStep(steps, 1, 1), 1)).toMatchObject({ met: 'next', otherwise: 3 })
  expect(found(moveStep(moveStep(steps, 1, 1), 1, 1), 1)).toMatchObject({ met: 'next', otherwise: 'next' })
})

test('what led to a removed step leads to the one after it, or to the end', () => {
  const steps = [condition(1, 2, 3), wait(2), wait(3)]
  expect(found(removeStep(steps, 2), 1)).toMatchObject({ met: 3, otherwise: 3 })
  expect(found(removeStep(steps, 3), 1)).toMatchObject({ met: 2, otherwise: 'end' })
})

test('the steps of one branch stand in from the others', () => {
  const depths = (steps: readonly SequenceStep[]) => layOut(steps).map(({ depth }) => depth)
  expect(depths([condition(1, 'next', 4), wait(2), wait(3), wait(4)])).toEqual([0, 1, 1, 0])
  // Who has replied goes no further: the way of the others is the only one.
  expect(depths([condition(1, 'end', 'next'), wait(2), wait(3)])).toEqual([0, 0, 0])
})

test('whoever goes on after a wait waits at the wait', () => {
  const steps = [newStep('mail', 1), wait(2), newStep('mail', 3), newStep('mail', 4), wait(5), wait(6)]
  const before: Record<number, number> = { 1: 7, 3: 5, 4: 2, 6: 1 }
  const shown = steps.map((_, at) => waitingAt(steps, at, ({ id }) => before[id] ?? 0))
  expect(shown).toEqual([
    { next: 1, count: 7 },
    { next: 3, count: 5 },
    null,
    { next: 4, count: 2 },
    { next: 6, count: 1 },
    null,
  ])
})

test('steps that nobody comes to are told', () => {
  const steps = [condition(1, 3, 3), wait(2), wait(3)]
  expect(layOut(steps).map(({ isReached }) => isReached)).toEqual([true, false, true])
})

test('a new step has a number of its own', () => {
  const steps = Array.from({ length: 30 }, (_, at) => wait(1000 + at))
  const id = freshId(steps)
  expect(ids(steps)).not.toContain(id)
  expect(newStep('mail', id)).toMatchObject({ id, kind: 'mail', body: '' })
})

test.each(EXAMPLES.map((example) => [example.name, example] as const))(
  'the example %s can be saved, and its texts can be read',
  (_, example) => {
    expect(sequences.add.body?.safeParse(draftOf(example)).error).toBeUndefined()
    expect(stepProblems(example.steps)).toEqual([])
    for (const step of example.steps)
      if (step.kind === 'mail')
        expect([...parseTemplate(step.subject).problems, ...parseTemplate(step.body).problems]).toEqual([])
  },
)
