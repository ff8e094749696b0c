import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { planReminders } from './plan-reminders.ts'
import { clearWithdrawn, sendDueReminders } from './send-reminders.ts'

// What other domains may use of payment reminders.
export { overdueReminders, passOverReminders } from './store.ts'
export { switchOffReminders } from './settings.ts'
export { paymentReminderRoutes } from './routes.ts'
export { plannedReminders } from './show-reminders.ts'

const LOOK_EVERY_MS = 5000

/** The background loops of payment reminders: they plan, send what is due, and clear away what was taken back. */
export function startPaymentReminderLoops(context: Context): Loop[] {
  return [
    startDueLoop(context, 'plan payment reminders', LOOK_EVERY_MS, () => planReminders(context)),
    startDueLoop(context, 'send payment reminders', LOOK_EVERY_MS, async () => {
      await clearWithdrawn(context)
      await sendDueReminders(context)
    }),
  ]
}
