import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import { voiceOf, withOptOut } from '../briefs/briefs.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { enqueueEmails, exampleUnsubscribeUrl } from '../../mail/emails/emails.ts'
import { senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { configuredAccount } from './account-of-run.ts'
import { findPreview, NO_TEMPLATE } from './previews-store.ts'

/** What the subject of a test begins with. */
const MARK = '[Test] '

/**
 * Sends a mail that was shown to the address that the run would send from, and to nobody else. It counts as mail to nobody.
 *
 * @returns the address
 * @throws Refusal 404 for a mail that was not shown; 400 for a wrong account; 409 while mail is paused
 */
export async function sendTest(
  context: Context,
  userId: number,
  contactId: number,
  {
    mailboxId,
    templateId,
  }: { mailboxId?: number | null | undefined; templateId?: number | null | undefined },
): Promise<string> {
  const { db } = context
  const user = await findUser(db, userId)
  const key = { userId, contactId, templateId: templateId ?? NO_TEMPLATE }
  const mail = await findPreview(db, key, context.clock.now())
  if (user === undefined || mail === undefined)
    throw notFound('This email is no longer there. Look at the first emails again.')
  if (isMailPaused(user)) throw conflict(MAIL_PAUSED)
  const mailbox = await configuredAccount(db, userId, mailboxId)
  const { language } = await voiceOf(db, userId)
  await inTransaction(db, async (tx) => {
    await enqueueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, priority: 0, from: senderOf(mailbox, user) },
      [
        {
          to: mailbox.address,
          subject: MARK + mail.subject,
          text: withOptOut(mail.body, exampleUnsubscribeUrl(context), language),
          purpose: 'test',
        },
      ],
    )
    await context.live.publish(tx, userId, { topic: 'emails' })
  })
  return mailbox.address
}
