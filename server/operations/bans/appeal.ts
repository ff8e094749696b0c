import { noteActivity } from '../../accounts/activities/activities.ts'
import { addAppeal, appealSignature, findBanByToken, lockUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { notifyAdministrators } from '../../accounts/notifications/notifications.ts'
import { logSecurity } from '../../platform/security/security-log.ts'

/** Characters of an appeal that its notification shows. */
const SHOWN_MAX = 300
const OLD_TOKEN = 'This page is too old, or the appeal was sent already. Please log in again to see.'

/**
 * Takes a banned user's appeal. The token is that of a log-in that was refused; it works once, and only the newest does.
 *
 * @throws Refusal 400 for a token that is unknown, used or too old, and once the ban has ended
 */
export async function appeal(
  context: Context,
  { token, message }: { token: string; message: string },
  origin: Origin,
): Promise<void> {
  const now = context.clock.now()
  const signature = appealSignature(context, token)
  const found = await findBanByToken(context.db, signature, now)
  if (found === undefined) throw invalidInput(OLD_TOKEN, { appeal_token: OLD_TOKEN })
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, found.user_id)
    // Pressed twice: the second waited here for the first.
    const ban = await findBanByToken(tx, signature, now)
    if (ban === undefined) throw invalidInput(OLD_TOKEN, { appeal_token: OLD_TOKEN })
    await addAppeal(tx, ban, { message, now })
    await noteActivity(context, tx, { type: 'appeal_submitted', user: ban.user_id, origin })
    const words = message.length > SHOWN_MAX ? `${message.slice(0, SHOWN_MAX)}…` : message
    await notifyAdministrators(context, tx, {
      topic: `appeal ${ban.id}`,
      userId: ban.user_id,
      title: 'A banned user appeals',
      message: `“${words.toWellFormed()}” User Bans takes your answer.`,
      priority: 4,
    })
  })
  logSecurity(context.log, { event: 'appeal_submitted' }, found.user_id, origin)
}
