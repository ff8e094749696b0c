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
      days: 17,
      contacts: 150,
      sequences: 4,
      byHand: 15,
      enrolDays: 4,
      disturbances: {
        replies: 12,
        refused: 4,
        returned: 4,
        unsubscribed: 6,
        meetings: 4,
        deleted: 6,
        held: 5,
        moved: 5,
        undone: 5,
      },
      lastDisturbed: 10,
      chains: [],
      run: { day: 2, contacts: 30 },
      heldRun: { day: 13, contacts: 20 },
      renamed: 2,
      withdrawn: 2,
      forecasts: [4, 6],
      kills: 0,
    })
    expect(outcome.broken).toEqual([])
    // Nothing was killed, so nothing came twice.
    expect(outcome.repeated).toBe(0)
    expect(outcome.events).toMatchObject({ deleted: 6, meeting: 4, moved: 5, undone: 5, restored: 1 })
    expect(outcome.events['mails of follow-ups']).toBeGreaterThan(25)
    expect(outcome.events['mails of the run']).toBeGreaterThan(5)
    for (const { foreseen, came, stopped } of outcome.forecasts) {
      expect(came).toBeGreaterThan(50)
      expect(Math.abs(foreseen - came - stopped)).toBeLessThanOrEqual(0.05 * foreseen)
    }
  },
)
