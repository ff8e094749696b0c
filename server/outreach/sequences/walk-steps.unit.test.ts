import { describe, expect, it } from 'vitest'
import { stepProblems } from '#contract/outreach/sequence-steps.ts'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { endOfWait, type Facts, sameStep, walkSteps } from './walk-steps.ts'

const ZONE = 'Europe/Berlin'
const NOW = new Date('2031-01-07T12:00:00Z')
const at = { now: NOW, zone: ZONE, keyOf: (tag: string) => tag.toLowerCase() }
const facts = (more: Partial<Facts> = {}): Facts => ({
  replied: false,
  intent: null,
  status: 'prospect',
  tags: new Set(),
  ...more,
})
const mail = (id: number): SequenceStep => ({
  id,
  kind: 'mail',
  template_id: null,
  subject: 'Hello',
  body: 'Hello',
  same_conversation: false,
})
const wait = (id: number, amount: number): SequenceStep => ({ id, kind: 'wait', amount, unit: 'days' })
const tag = (id: number, name: string): SequenceStep => ({ id, kind: 'tag', act: 'add', tag: name })
const has = (id: number, name: string, met: number | 'next' | 'end', otherwise: number | 'next' | 'end') =>
  ({ id, kind: 'condition', if: { about: 'tag', tag: name }, met, otherwise }) satisfies SequenceStep

describe('a walk through the steps', () => {
  it('ends before a mail, at a wait, and at the end', () => {
    const steps = [mail(1), wait(2, 3), mail(3)]
    expect(walkSteps(steps, 1, facts(), at)).toMatchObject({ to: 'mail', step: { id: 1 } })
    expect(walkSteps(steps, 2, facts(), at)).toEqual({
      effects: [],
      to: 'later',
      step: 3,
      at: new Date('2031-01-10T12:00:00Z'),
    })
    expect(walkSteps(steps, null, facts(), at)).toEqual({ effects: [], to: 'end' })
    expect(walkSteps([wait(1, 3)], 1, facts(), at)).toEqual({ effects: [], to: 'end' })
    expect(walkSteps(steps, 99, facts(), at)).toEqual({ effects: [], to: 'end' })
  })

  it('takes the branch that holds, and knows of tags that it has just given', () => {
    const steps = [has(1, 'Warm', 4, 'next'), tag(2, 'WARM'), has(3, 'warm', 'end', 'next'), mail(4)]
    expect(walkSteps(steps, 1, facts({ tags: new Set(['warm']) }), at)).toMatchObject({ to: 'mail' })
    expect(walkSteps(steps, 1, facts(), at)).toMatchObject({ effects: [{ id: 2 }], to: 'end' })
  })

  it('ends, also where a condition leads back', () => {
    expect(walkSteps([tag(1, 'a'), has(2, 'a', 1, 1), has(3, 'a', 99, 2)], 1, facts(), at).to).toBe('end')
  })
})

describe('a wait', () => {
  const ends = (amount: number, unit: 'hours' | 'days' | 'working_days', from: string) =>
    endOfWait({ amount, unit }, new Date(from), ZONE).toISOString()

  it('of working days passes over the weekend', () => {
    // A Friday, a Saturday and a Sunday in Berlin.
    for (const day of ['10', '11', '12'])
      expect(ends(1, 'working_days', `2031-01-${day}T09:00:00Z`)).toBe('2031-01-13T09:00:00.000Z')
    expect(ends(5, 'working_days', '2031-01-10T09:00:00Z')).toBe('2031-01-17T09:00:00.000Z')
    expect(ends(2, 'days', '2031-01-10T09:00:00Z')).toBe('2031-01-12T09:00:00.000Z')
  })

  it('of days keeps the time of day over a change to and from summer time; of hours it does not', () => {
    expect(ends(1, 'days', '2031-03-29T09:00:00Z')).toBe('2031-03-30T08:00:00.000Z')
    expect(ends(24, 'hours', '2031-03-29T09:00:00Z')).toBe('2031-03-30T09:00:00.000Z')
    expect(ends(1, 'days', '2031-10-25T08:00:00Z')).toBe('2031-10-26T09:00:00.000Z')
  })

  it('goes to the next hour that there is, and takes one that comes twice the first time', () => {
    // 02:30 is missing on 30 March, and there twice on 26 October.
    expect(ends(1, 'days', '2031-03-29T01:30:00Z')).toBe('2031-03-30T01:30:00.000Z')
    expect(ends(1, 'days', '2031-10-25T00:30:00Z')).toBe('2031-10-26T00:30:00.000Z')
  })
})

describe('members under way when steps change', () => {
  it('are at the same step, or at the next one that is left', () => {
    const old = [mail(1), wait(2, 1), mail(3), mail(4)]
    expect(sameStep(old, [mail(4), mail(3)], 3)).toBe(3)
    expect(sameStep(old, [mail(1), mail(4)], 2)).toBe(4)
    expect(sameStep(old, [mail(1)], 2)).toBeNull()
  })
})

describe('the check of the steps', () => {
  const said = (steps: SequenceStep[]) => stepProblems(steps).map(({ kind, step }) => `${kind} ${step}`)

  it('finds no mail, what leads back, what nobody reaches, and empty mails', () => {
    expect(said([mail(1), wait(2, 1), mail(3)])).toEqual([])
    expect(said([wait(1, 1)])).toEqual(['stop null'])
    expect(said([mail(1), has(2, 'a', 1, 'next'), wait(3, 1)])).toEqual(['stop 2'])
    expect(said([mail(1), has(2, 'a', 77, 'end')])).toEqual(['stop 2'])
    expect(said([mail(1), has(2, 'a', 'end', 4), tag(3, 'a'), wait(4, 1), mail(5)])).toEqual(['advice 3'])
    expect(said([mail(1), mail(1)])).toEqual(['stop 1', 'advice 1'])
    const empty = { ...mail(1), subject: '', body: '' } as SequenceStep
    expect(said([empty])).toEqual(['stop 1', 'stop 1'])
  })
})
