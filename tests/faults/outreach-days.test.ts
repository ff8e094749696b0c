import { expect, test } from 'vitest'
import { runOutreachDays } from './outreach-workers.ts'

test(
  'over a summer-time change, two workers keep every promise of sequences and follow-ups',
  { timeout: 240_000 },
  async () => {
    const outcome = await runOutreachDays({
      seed: 7,
      zone: 'America/New_York',
      // Summer time begins on 9 March.
      begin: '2031-03-03',
      days: 19,
      contacts: 300,
      sequences: 6,
      byHand: 30,
      enrolDays: 4,
      disturbances: {
        replies: 25,
        refused: 4,
        returned: 4,
        unsubscribed: 12,
        meetings: 8,
        deleted: 12,
        held: 10,
      },
      lastDisturbed: 10,
      chains: [],
      run: { day: 2, contacts: 30 },
      forecasts: [4, 6],
      kills: 0,
    })
    expect(outcome.broken).toEqual([])
    // Nothing was killed, so nothing came twice.
    expect(outcome.repeated).toBe(0)
    expect(outcome.events).toMatchObject({ deleted: 12, meeting: 8 })
    expect(outcome.events['mails of follow-ups']).toBeGreaterThan(50)
    expect(outcome.events['mails of the run']).toBeGreaterThan(10)
    for (const { foreseen, came, stopped } of outcome.forecasts) {
      expect(came).toBeGreaterThan(100)
      expect(Math.abs(foreseen - came - stopped)).toBeLessThanOrEqual(0.05 * foreseen)
    }
  },
)
