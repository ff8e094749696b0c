import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { settleDays } from './settle-days.ts'
import { planFollowUps } from './plan-follow-ups.ts'
import { runDays } from './run-day.ts'

// What other domains may use of follow-ups.
export { judgeFollowUps } from './judge-follow-ups.ts'
export { plannedFollowUps } from './show-follow-ups.ts'
export { withdrawFollowUps } from './settle-days.ts'
export { followUpRoutes } from './routes.ts'

const LOOK_EVERY_MS = 5000

/** The background loops of follow-ups: they plan, write what is due, and count what became of it. */
export function startFollowUpLoops(context: Context): Loop[] {
  return [
    startDueLoop(context, 'plan follow-ups', LOOK_EVERY_MS, () => planFollowUps(context)),
    startDueLoop(context, 'send follow-ups', LOOK_EVERY_MS, async () => {
      await runDays(context)
      await settleDays(context)
    }),
  ]
}
