import { Temporal } from 'temporal-polyfill'
import type { Context } from '#server/platform/context.ts'
import { planFollowUps } from '#server/outreach/follow-ups/plan-follow-ups.ts'
import { runDays } from '#server/outreach/follow-ups/run-day.ts'
import { runDue } from '#server/outreach/sequences/run-due.ts'
import { takeWork } from '#server/outreach/sequences/take-work.ts'
import { seeded } from '../support/seeded.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { movableClock, startTestApp } from '../support/test-app.ts'
import { duplicatesIn } from './bulk-run.ts'
import { OutreachDays, type OutreachOutcome, type OutreachPlan } from './outreach-days.ts'
import { type KillOutcome, Kills } from './outreach-kills.ts'

export type DrillOutcome = OutreachOutcome & {
  kills: KillOutcome
  /** After each kill the number of the last connection before it; and that over which each mail came that came again. */
  lastBefore: readonly number[]
  duplicates: readonly number[]
}

/** Runs the days of a plan with two workers on a clock that only the days move. */
export async function runOutreachDays(plan: OutreachPlan): Promise<DrillOutcome> {
  const clock = movableClock()
  clock.stand()
  const begin = Temporal.PlainDate.from(plan.begin).toZonedDateTime({
    timeZone: plan.zone,
    plainTime: '06:00',
  })
  clock.forward(begin.epochMilliseconds - clock.now().getTime())
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
    const kills = new Kills(app, sink, seeded(plan.seed + 1))
    const outcome = await new OutreachDays(app, sink, plan, drive, kills).run()
    const { lastBefore } = kills
    const whole = { ...outcome, kills: kills.outcome, lastBefore, duplicates: duplicatesIn(sink.byMessageId) }
    process.stdout.write(`${JSON.stringify({ ...whole, broken: outcome.broken.length })}\n`)
    return whole
  } finally {
    await other.end()
    await app.end()
    await sink.stop()
  }
}
