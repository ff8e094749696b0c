import { endOtherSessions, forgetCallers, markDeleted, restorableUntil, writtenDay } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { takeBackClaims } from '../emails/emails.ts'
import type { Origin } from '../http/origin.ts'
import { takeBackReads } from '../mailboxes/mailboxes.ts'
import { logSecurity } from '../security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'
import { noteLeft } from './feedback-store.ts'

/**
 * Deletes the user's account: every session ends, no mail is sent or read any more, and a mail tells until when it can be
 * restored. Its rows stay until then. Deleting it twice does nothing more.
 *
 * @returns until when it can be restored
 */
export async function deleteAccount(context: Context, userId: number, origin: Origin): Promise<Date> {
  const now = context.clock.now()
  const until = restorableUntil(now)
  const deleted = await inTransaction(context.db, async (tx) => {
    // First: whoever claims mail now waits for the end of this transaction, and finds the pause.
    const user = await markDeleted(tx, userId, now)
    if (user === undefined) return false
    await takeBackClaims(tx, userId)
    await takeBackReads(tx, userId)
    await endOtherSessions(tx, userId, null, now)
    await noteLeft(tx, userId, now)
    await queueSystemMail(context, tx, {
      to: user.email,
      ...notice(context, user.email, writtenDay(until, user.time_zone ?? 'UTC')),
    })
    await context.live.publish(tx, userId, { topic: 'session' })
    return true
  })
  forgetCallers(context, userId)
  if (deleted) logSecurity(context.log, { event: 'account_deleted' }, userId, origin)
  return until
}

function notice({ config }: Context, email: string, day: string) {
  return writeSystemMail('Your Howl account was deleted', [
    `Your Howl account ${email} was deleted. It can be restored until ${day}.`,
    'You were signed out everywhere, and Howl neither sends nor reads mail for you any more.',
    `Do you want it back? Ask whoever runs Howl at ${new URL(config.publicUrl).host} to restore it. After ${day}, everything in it is removed for good.`,
    'It was not you? Ask them at once, and change the password of your mailbox.',
  ])
}
