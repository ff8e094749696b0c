import type { Context } from '../context.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { SENDING_SYSTEM_MAIL } from '../system-mail/system-mail.ts'
import { sendSystemMail } from './send-system-mail.ts'

/** Somebody may be waiting for a code. */
const LOOK_EVERY_MS = 500

/** The background loop of system mail. */
export function startSystemMailLoops(context: Context): Loop[] {
  return [startLoop(context, SENDING_SYSTEM_MAIL, LOOK_EVERY_MS, () => sendSystemMail(context))]
}
