import { describe, expect, it } from 'vitest'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import type { SendingRules } from '../automatic-mail/automatic-mail.ts'
import { type Forecast, forecast, type ForecastInput } from './forecast.ts'
import type { Group } from './forecast-queue.ts'
import { mailsASlot, whenAllowed } from './pace.ts'

const OFFICE = { days: [1, 2, 3, 4, 5], fromHour: 9, untilHour: 17 }
const mail = (id: number): SequenceStep => ({
  id,
  kind: 'mail',
  template_id: null,
  subject: 'Hello',
  body: 'Hello',
  same_conversation: false,
})
const wait = (id: number, amount: number): SequenceStep => ({ id, kind: 'wait', amount, unit: 'days' })
/** A Monday at 10 in Berlin. */
const MONDAY = new Date('2031-01-13T09:00:00Z')
type Asked = Partial<Omit<ForecastInput, 'rules'>> & {
  steps?: SequenceStep[]
  members?: number
  rules?: SendingRules[]
  /** Who is under way, and in which sequences: 0 is the one that is asked about. */
  underWay?: { at?: Date; sequence?: number; step?: number; members: number; mailedOn?: string }[]
}
const alike = (steps: SequenceStep[]): Group => ({
  sequence: 0,
  steps,
  version: 1,
  step: 1,
  members: 0,
  mailedOn: '',
  status: '',
  tags: [],
})
const foresee = ({
  steps = [mail(1), wait(2, 3), mail(3)],
  members = 10,
  rules = [OFFICE],
  ...input
}: Asked) => {
  const now = input.now ?? MONDAY
  const [first] = steps
  const { underWay = [], ...others } = input
  const due = underWay.map(({ at = now, sequence = 0, step = 1, ...group }) => ({
    at,
    group: { ...alike(steps), sequence, step, ...group },
  }))
  if (first !== undefined && members > 0)
    due.push({ at: now, group: { ...alike(steps), step: first.id, members } })
  return forecast({
    rules: Array.from({ length: 1 + Math.max(0, ...due.map(({ group }) => group.sequence)) }, () => rules),
    due,
    inBoth: () => 0,
    now,
    zone: 'Europe/Berlin',
    aSlot: mailsASlot(null),
    inSlot: 0,
    ceiling: () => null,
    sentToday: 0,
    ...others,
  })
}
const mailsOf = ({ days }: Forecast) => days.map(({ mails }) => mails)

describe('a forecast', () => {
  it('says how many mails leave on which day, and when the last one does', async () => {
    expect(await foresee({})).toEqual({
      days: [
        { day: '2031-01-13', mails: 10 },
        { day: '2031-01-16', mails: 10 },
      ],
      mails: 20,
      others: 0,
      first_at: MONDAY.toISOString(),
      last_at: '2031-01-16T09:00:00.000Z',
      limited_by: null,
      complete: true,
    })
  })

  it('waits for the hours, also over a weekend, and for the next day where two mails follow each other', async () => {
    const friday = new Date('2031-01-17T16:30:00Z')
    const found = await foresee({ now: friday, steps: [mail(1), mail(2)] })
    expect(found.days).toEqual([
      { day: '2031-01-20', mails: 10 },
      { day: '2031-01-21', mails: 10 },
    ])
  })

  it('keeps to the ceiling of a new address and to the pace', async () => {
    const ceilings = [20, 30, 45, 67]
    const slow = await foresee({
      members: 100,
      steps: [mail(1)],
      ceiling: (day) => ceilings[day] ?? null,
      sentToday: 5,
    })
    expect(mailsOf(slow)).toEqual([15, 30, 45, 10])
    expect(slow.limited_by).toBe('warm_up')
    // 60 an hour, and eight hours a day, of which the first is over.
    const paced = await foresee({ members: 1000, steps: [mail(1)], aSlot: mailsASlot(60) })
    expect(mailsOf(paced)).toEqual([420, 480, 100])
    expect(paced.limited_by).toBe('pace')
  })

  it('foresees 100,000 contacts and five mails each, and says where it ends sooner than the sequence', async () => {
    const steps = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? mail(at + 1) : wait(at + 1, 3)))
    expect(await foresee({ members: 100_000, steps })).toMatchObject({ mails: 500_000, complete: true })
    const slow = await foresee({ members: 100_000, steps, aSlot: 1 })
    expect(slow.complete).toBe(false)
    expect(slow.mails).toBeLessThan(500_000)
  }, 30_000)

  it('foresees who is under way: each from the step and the time at which it is', async () => {
    const thursday = new Date('2031-01-16T09:00:00Z')
    const underWay = [
      { step: 3, members: 5 },
      { step: 3, members: 4, mailedOn: '2031-01-13' },
      { step: 3, members: 3, at: thursday },
      { step: 1, members: 2, at: thursday },
    ]
    expect((await foresee({ members: 0, underWay })).days).toEqual([
      { day: '2031-01-13', mails: 5 },
      { day: '2031-01-14', mails: 4 },
      { day: '2031-01-16', mails: 5 },
      // Three days after Thursday is a Sunday.
      { day: '2031-01-20', mails: 2 },
    ])
  })

  it('shares pace and ceiling with the other sequences of the account, each with its part', async () => {
    const steps = [mail(1)]
    const others = [1, 2].map((sequence) => ({ sequence, members: 300 }))
    // 60 an hour: 420 on the first day, 480 on the second; the others want as much as this one.
    const paced = await foresee({ steps, members: 300, underWay: others, aSlot: mailsASlot(60) })
    expect(mailsOf(paced)).toEqual([140, 160])
    expect(paced).toMatchObject({ mails: 300, limited_by: 'pace' })
    expect(paced.others).toBeGreaterThan(590)
    const slow = await foresee({ steps, members: 30, underWay: others, ceiling: () => 60 })
    expect(mailsOf(slow)).toEqual([20, 10])
    expect(slow.limited_by).toBe('warm_up')
    // What one does not need is left to the others.
    const few = await foresee({
      steps,
      members: 300,
      underWay: [{ sequence: 1, members: 10 }],
      ceiling: () => 100,
    })
    expect(mailsOf(few)).toEqual([90, 100, 100, 10])
  })

  it('lets those wait until tomorrow who are in another sequence that writes to them today', async () => {
    const underWay = [
      { sequence: 1, members: 100 },
      { sequence: 0, members: 100, at: new Date('2031-01-13T10:00:00Z') },
    ]
    const both = (contacts: number) =>
      foresee({
        steps: [mail(1)],
        members: 0,
        underWay,
        inBoth: (one, other) => (one === other ? 0 : contacts),
      })
    expect(mailsOf(await both(30))).toEqual([70, 30])
    expect((await both(100)).days).toEqual([{ day: '2031-01-14', mails: 100 }])
  })

  it('follows the tags that contacts have, and those that steps give', async () => {
    const steps: SequenceStep[] = [
      { id: 1, kind: 'condition', if: { about: 'tag', tag: 'Customer' }, met: 'end', otherwise: 'next' },
      mail(2),
      { id: 3, kind: 'tag', act: 'add', tag: 'Written to' },
      wait(4, 1),
      { id: 5, kind: 'condition', if: { about: 'tag', tag: 'written to' }, met: 'end', otherwise: 'next' },
      mail(6),
    ]
    const customers = { ...alike(steps), members: 7, tags: ['customer'] }
    const others = { ...alike(steps), members: 3 }
    const due = [customers, others].map((group) => ({ at: MONDAY, group }))
    expect((await foresee({ steps, due })).days).toEqual([{ day: '2031-01-13', mails: 3 }])
  })

  it('says nothing leaves where there is no mail', async () => {
    expect(await foresee({ steps: [] })).toMatchObject({ mails: 0, days: [], last_at: null, complete: true })
  })
})

describe('hours', () => {
  it('are those of the sequence and of the user at once', () => {
    const evenings = { days: [3, 6], fromHour: 16, untilHour: 20 }
    expect(whenAllowed([OFFICE, evenings], 'Europe/Berlin', MONDAY)).toEqual(new Date('2031-01-15T15:00:00Z'))
  })
})
