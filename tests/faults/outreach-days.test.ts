import { expect, test } from 'vitest'
import type { Context } from '#server/context.ts'
import { planFollowUps } from '#server/follow-ups/plan-follow-ups.ts'
import { runDays } from '#server/follow-ups/run-day.ts'
import { runDue } from '#server/sequences/run-due.ts'
import { takeWork } from '#server/sequences/take-work.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { movableClock, startTestApp } from '../support/test-app.ts'
import { OutreachDays } from './outreach-days.ts'

test(
  'over a summer-time change, two workers keep every promise of sequences and follow-ups',
  { timeout: 240_000 },
  async () => {
    const clock = movableClock()
    clock.stand()
    const app = await startTestApp({ clock })
    const other = await startTestApp({ clock, roles: ['worker'], database: { url: app.databaseUrl } })
    const sink = await startSmtpSink()
    try {
      const both = [app.context, other.context]
      const goThrough = async (context: Context) => {
        do await takeWork(context)
        while (await runDue(context))
      }
      const drive = async () => {
        for (const look of [goThrough, planFollowUps, runDays]) await Promise.all(both.map(look))
      }
      const days = new OutreachDays(
        app,
        sink,
        {
          seed: 7,
          zone: 'America/New_York',
          // Summer time begins on 9 March.
          begin: '2031-03-03',
          days: 22,
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
        },
        drive,
      )
      const outcome = await days.run()
      process.stdout.write(`${JSON.stringify({ ...outcome, broken: outcome.broken.length })}\n`)
      expect(outcome.broken).toEqual([])
      // Nothing was killed, so nothing came twice.
      expect(outcome.repeated).toBe(0)
      expect(outcome.events).toMatchObject({ deleted: 12, meeting: 8 })
      expect(outcome.events['mails of follow-ups']).toBeGreaterThan(50)
    } finally {
      await other.end()
      await app.end()
      await sink.stop()
    }
  },
)
