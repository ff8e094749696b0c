import { expect, test } from 'vitest'
import { CONNECTIONS } from './bulk-run.ts'
import { daysBetween } from './outreach-forecasts.ts'
import { runOutreachDays } from './outreach-workers.ts'

/** From the third one on nothing is disturbed any more. */
const FORECASTS = [8, 22, 38, 42]
const QUIET = 38

test('60 days of 2,000 contacts and 12 sequences over two changes of summer time, with workers that are killed', async () => {
  const outcome = await runOutreachDays({
    seed: Number(process.env['SEED'] ?? 11),
    // During Ramadan the clocks go back, and forward again afterwards: on 15 February and on 22 March.
    zone: 'Africa/Casablanca',
    begin: '2026-02-02',
    days: 60,
    contacts: 2000,
    sequences: 12,
    byHand: 100,
    enrolDays: 42,
    disturbances: {
      replies: 150,
      refused: 15,
      returned: 15,
      unsubscribed: 60,
      meetings: 30,
      deleted: 60,
      held: 40,
      moved: 40,
      undone: 40,
    },
    lastDisturbed: 36,
    chains: [
      [3, 4],
      [4, 6],
    ],
    run: { day: 9, contacts: 120 },
    heldRun: { day: 24, contacts: 200 },
    renamed: 12,
    withdrawn: 10,
    forecasts: FORECASTS,
    kills: 16,
  })
  expect(outcome.broken).toEqual([])
  expect(outcome.events).toMatchObject({ deleted: 60, meeting: 30, kills: 16, undone: 40, restored: 1 })
  expect(outcome.kills.inRounds + outcome.kills.whileSending).toBeGreaterThanOrEqual(8)

  // A kill may repeat a mail under the same Message-ID, one for each connection that it cut.
  expect(new Set(outcome.duplicates).size).toBe(outcome.duplicates.length)
  const killOf = outcome.duplicates.map((connection) =>
    outcome.lastBefore.findIndex((last) => connection <= last),
  )
  expect(killOf).not.toContain(-1)
  for (const each of Object.values(Object.groupBy(killOf, (kill) => kill)))
    expect(each?.length).toBeLessThanOrEqual(CONNECTIONS)

  expect(outcome.forecasts).toHaveLength(FORECASTS.length)
  for (const { day, foreseen, came, stopped, apart, lastForeseen, lastCame } of outcome.forecasts) {
    expect(Math.abs(foreseen - came - stopped), `mails foreseen on day ${day}`).toBeLessThanOrEqual(
      0.05 * foreseen,
    )
    if (day < QUIET) continue
    // Nothing delays anybody any more, so each day is what was foreseen.
    expect(came, `mails after day ${day}`).toBeGreaterThan(100)
    expect(apart, `mails up to a day, foreseen on day ${day}`).toBeLessThanOrEqual(0.05)
    // Somebody in two sequences may get the very last mail a sending day later: Tuesday after Saturday at the most.
    expect(daysBetween(lastForeseen, lastCame), `last day, foreseen on day ${day}`).toBeLessThanOrEqual(3)
  }
})
