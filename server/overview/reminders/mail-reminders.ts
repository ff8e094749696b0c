import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueueEmails } from '../../mail/emails/emails.ts'
import { isConfigured, primaryMailbox, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { type DueReminder, dueReminders, putOffReminder, takeReminder } from '../../crm/meetings/meetings.ts'
import { reminderMail } from './reminder-mail.ts'

const AT_ONCE = 100
const TRY_AGAIN_MS = 60_000

/**
 * Mails each due reminder to the user, from the user's own account. Taking it and storing the mail is one
 * transaction: a kill at any moment neither loses nor duplicates it.
 */
export async function mailReminders(context: Context): Promise<void> {
  for (const due of await dueReminders(context.db, context.clock.now(), AT_ONCE)) {
    if (context.stopping.aborted) return
    try {
      await mailReminder(context, due)
    } catch (error) {
      context.log.warn({ err: error, ...due }, 'a reminder could not be mailed; it will be retried')
      const now = context.clock.now()
      await putOffReminder(context.db, due, now, new Date(now.getTime() + TRY_AGAIN_MS))
    }
  }
}

async function mailReminder(context: Context, due: DueReminder): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    const meeting = await takeReminder(tx, due, now)
    if (meeting === undefined) return
    const user = await findUser(tx, due.userId)
    const mailbox = await primaryMailbox(tx, due.userId)
    // Without an account there is no way to send mail; the form says so where the reminder is chosen.
    if (user === undefined || !user.is_active || !isConfigured(mailbox)) return
    const timeZone = meeting.time_zone ?? user.time_zone ?? FALLBACK_ZONE
    const words = reminderMail(meeting, timeZone, context.config.publicUrl)
    const options = {
      userId: user.id,
      mailboxId: mailbox.id,
      from: senderOf(mailbox, user),
      priority: 0,
    } as const
    await enqueueEmails(context, tx, options, [{ to: user.email, purpose: 'compose', ...words }])
    await context.live.publish(tx, user.id, { topic: 'emails' })
  })
}
