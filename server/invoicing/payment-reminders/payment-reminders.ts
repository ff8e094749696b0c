import type { Context } from '../../platform/context.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { PLAN_REMINDERS, planReminders } from './plan-reminders.ts'
import { clearWithdrawn, sendDueReminders } from './send-reminders.ts'

// What other domains may use of payment reminders.
export { overdueReminders, passOverReminders } from './store.ts'
export { switchOffReminders } from './settings.ts'
export { paymentReminderRoutes } from './routes.ts'

const LOOK_EVERY_MS = 5000

/** The background loops of payment reminders: they plan, send what is due, and clear away what was taken back. */
export function startPaymentReminderLoops(context: Context): Loop[] {
  return [
    startLoop(context, PLAN_REMINDERS, LOOK_EVERY_MS, () => planReminders(context)),
    startLoop(context, 'send payment reminders', LOOK_EVERY_MS, async () => {
      await clearWithdrawn(context)
      await sendDueReminders(context)
    }),
  ]
}
