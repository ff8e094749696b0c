import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOfTarget, stepProblems } from './sequence-steps.ts'
import type { SequenceStep, StepTarget } from './sequences.ts'

const mail = (id: number, subject = 'Bread'): SequenceStep => ({
  id,
  kind: 'mail',
  template_id: null,
  subject,
  body: 'We bake.',
  same_conversation: true,
})
const answer = (id: number) => mail(id, '')
const wait = (id: number): SequenceStep => ({ id, kind: 'wait', amount: 1, unit: 'days' })
const asks = (id: number, met: StepTarget, otherwise: StepTarget): SequenceStep => ({
  id,
  kind: 'condition',
  if: { about: 'tag', tag: 'fair' },
  met,
  otherwise,
})
/** The steps that hinder the start. */
const stops = (steps: SequenceStep[]) =>
  stepProblems(steps).flatMap(({ kind, step }) => (kind === 'stop' ? [step] : []))

describe('an answer without a subject', () => {
  it.each<[string, SequenceStep[], number[]]>([
    ['follows a mail', [mail(1), wait(2), answer(3)], []],
    ['follows a mail on both ways', [mail(1), asks(2, 'next', 4), wait(3), answer(4)], []],
    ['is the first mail', [answer(1)], [1]],
    ['comes after everything but a mail', [wait(1), asks(2, 'next', 'end'), answer(3), answer(4)], [3]],
    ['is led to past the mail, if the condition is met', [asks(1, 3, 'next'), mail(2), answer(3)], [3]],
    ['is led to past the mail, if it is not', [asks(1, 'next', 3), mail(2), answer(3)], [3]],
    ['stands behind a wait that is led to', [asks(1, 3, 'next'), mail(2), wait(3), answer(4)], [4]],
    [
      'is reached past the mail by two conditions',
      [asks(1, 'next', 3), asks(2, 4, 4), mail(3), asks(4, 5, 'end'), answer(5)],
      [5],
    ],
    [
      'is reached only by those who had one of two mails',
      [asks(1, 2, 4), mail(2), asks(3, 5, 5), mail(4), answer(5)],
      [],
    ],
    ['follows a mail that is the first one for some', [asks(1, 3, 'next'), mail(2), mail(3), answer(4)], []],
    ['is passed over by those without a mail', [asks(1, 'next', 'end'), mail(2), answer(3)], []],
    [
      'is reached by nobody without a mail, as the others end before',
      [asks(1, 4, 'next'), mail(2), answer(3), asks(4, 'end', 'end')],
      [],
    ],
  ])('%s', (_, steps, expected) => {
    expect(stops(steps)).toEqual(expected)
  })

  it('is named by the step, with a sentence', () => {
    expect(stepProblems([asks(1, 3, 'next'), mail(2), answer(3)])).toContainEqual({
      kind: 'stop',
      step: 3,
      message:
        'Some contacts get to this email without an email before it, so it needs a subject of its own.',
    })
  })

  it('with a subject or a template may be the first mail', () => {
    const templated = { ...answer(3), template_id: 5 } as SequenceStep
    for (const third of [mail(3), templated]) expect(stops([asks(1, 3, 'next'), mail(2), third])).toEqual([])
  })

  it('is found on exactly those of all paths that lead to it without a mail', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const without = new Set<number>()
        for (const path of pathsOf(steps)) {
          const first = path.find(({ kind }) => kind === 'mail')
          if (first?.kind === 'mail' && first.subject === '') without.add(first.id)
        }
        const reached = new Set(pathsOf(steps).flatMap((path) => path.map(({ id }) => id)))
        expect(new Set(stops(steps).filter((id) => id !== null && reached.has(id)))).toEqual(without)
      }),
      { numRuns: 500 },
    )
  })
})

it('a condition does not lead to itself, nor back', () => {
  expect(stops([mail(1), asks(2, 2, 'next'), mail(3)])).toEqual([2])
  expect(stops([mail(1), asks(2, 'next', 1), mail(3)])).toEqual([2])
})

/** Up to nine steps whose conditions lead to any later step or to the end. */
const anySteps = fc
  .array(fc.tuple(fc.constantFrom('mail', 'answer', 'wait', 'asks'), fc.nat(9), fc.nat(9)), {
    minLength: 1,
    maxLength: 9,
  })
  .map((drawn) =>
    drawn.map(([kind, met, otherwise], at) => {
      const id = at + 1
      const target = (by: number): StepTarget => (id + by < drawn.length ? id + by + 1 : 'end')
      if (kind === 'asks') return asks(id, target(met), target(otherwise))
      return kind === 'wait' ? wait(id) : kind === 'mail' ? mail(id) : answer(id)
    }),
  )

/** Every way through the steps, one by one. */
function pathsOf(steps: SequenceStep[], from = 0): SequenceStep[][] {
  const step = steps[from]
  if (step === undefined) return [[]]
  const targets =
    step.kind === 'condition'
      ? [placeOfTarget(steps, from, step.met), placeOfTarget(steps, from, step.otherwise)]
      : [from + 1]
  return targets.flatMap((target) => pathsOf(steps, target).map((rest) => [step, ...rest]))
}
