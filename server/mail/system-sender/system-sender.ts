import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop, startLoop } from '../../platform/jobs/loop.ts'
import { removeSettled, SENDING_SYSTEM_MAIL } from '../../accounts/system-mail/system-mail.ts'
import { sendSystemMail } from './send-system-mail.ts'

/** Somebody may be waiting for a code. */
const LOOK_EVERY_MS = 500
/** The loop that removes mails of which nobody asks any more. */
export const REMOVING = 'remove sent system mail'
/** What became of a mail is known for this long to whoever waits for it; then nothing is left of it. */
const KEEP_MS = 600_000
const REMOVE_EVERY_MS = 60_000

/** The background loops of system mail: it is sent, and rows of what has left are removed. */
export function startSystemMailLoops(context: Context): Loop[] {
  const removeOld = () => removeSettled(context.db, new Date(context.clock.now().getTime() - KEEP_MS))
  return [
    startDueLoop(context, SENDING_SYSTEM_MAIL, LOOK_EVERY_MS, () => sendSystemMail(context)),
    startLoop(context, REMOVING, REMOVE_EVERY_MS, removeOld),
  ]
}
