import type { Context } from '../../platform/context.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { clearNotifications } from './notify-administrators.ts'

const CLEAR_EVERY_MS = 60 * 60_000

/** Starts clearing old notifications away. */
export function startNotificationLoops(context: Context): Loop[] {
  return [
    startLoop(
      context,
      'clear notifications',
      CLEAR_EVERY_MS,
      async () => void (await clearNotifications(context)),
    ),
  ]
}
