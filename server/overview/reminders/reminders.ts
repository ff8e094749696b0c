import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { mailReminders } from './mail-reminders.ts'

/** A reminder is at most this late. */
const LOOK_EVERY_MS = 5000

/** The background loops of reminders: they mail what is due. */
export function startReminderLoops(context: Context): Loop[] {
  return [startDueLoop(context, 'mail reminders', LOOK_EVERY_MS, () => mailReminders(context))]
}
