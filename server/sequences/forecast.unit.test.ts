import { describe, expect, it } from 'vitest'
import type { SequenceStep } from '#contract/sequences.ts'
import { forecast, type ForecastInput } from './forecast.ts'
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
const foresee = (input: Partial<ForecastInput>) =>
  forecast({
    steps: [mail(1), wait(2, 3), mail(3)],
    members: 10,
    now: MONDAY,
    zone: 'Europe/Berlin',
    rules: [OFFICE],
    aSlot: mailsASlot(null),
    inSlot: 0,
    ceiling: () => null,
    sentToday: 0,
    ...input,
  })

describe('a forecast', () => {
  it('says how many mails leave on which day, and when the last one does', async () => {
    expect(await foresee({})).toEqual({
      days: [
        { day: '2031-01-13', mails: 10 },
        { day: '2031-01-16', mails: 10 },
      ],
      mails: 20,
      firstAt: MONDAY,
      lastAt: new Date('2031-01-16T09:00:00Z'),
      limitedBy: null,
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
    expect(slow.days.map(({ mails }) => mails)).toEqual([15, 30, 45, 10])
    expect(slow.limitedBy).toBe('warm_up')
    // 60 an hour, and eight hours a day, of which the first is over.
    const paced = await foresee({ members: 1000, steps: [mail(1)], aSlot: mailsASlot(60) })
    expect(paced.days.map(({ mails }) => mails)).toEqual([420, 480, 100])
    expect(paced.limitedBy).toBe('pace')
  })

  it('foresees 100,000 contacts and five mails each, and says where it ends sooner than the sequence', async () => {
    const steps = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? mail(at + 1) : wait(at + 1, 3)))
    expect(await foresee({ members: 100_000, steps })).toMatchObject({ mails: 500_000, complete: true })
    const slow = await foresee({ members: 100_000, steps, aSlot: 1 })
    expect(slow.complete).toBe(false)
    expect(slow.mails).toBeLessThan(500_000)
  }, 30_000)

  it('says nothing leaves where there is no mail', async () => {
    expect(await foresee({ steps: [] })).toMatchObject({ mails: 0, days: [], lastAt: null, complete: true })
  })
})

describe('hours', () => {
  it('are those of the sequence and of the user at once', () => {
    const evenings = { days: [3, 6], fromHour: 16, untilHour: 20 }
    expect(whenAllowed([OFFICE, evenings], 'Europe/Berlin', MONDAY)).toEqual(new Date('2031-01-15T15:00:00Z'))
  })
})
