import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { checkRecipients } from './check-recipients.ts'
import { changeMail, lockOwnMail, requeueDelivery } from './compositions-store.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { readContentOfDraft } from './draft-content.ts'
import { deliverOrRefuse, listedMail, senderFor, sendDraftContent, type SendingUser } from './send-email.ts'
import { readBody } from '../content/read-body.ts'
import { findListed, type ListedEmail } from '../messages/store.ts'

/**
 * Tries a mail that was refused or put off again now; a draft that was refused is sent.
 *
 * @throws Refusal 404; 409 when it has left or is on its way; 400 as sending does
 */
export async function resendEmail(context: Context, writer: SendingUser, id: number): Promise<ListedEmail> {
  const row = await findListed(context.db, writer.id, id)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const body = await readBody(context.db, writer.id, id)
  if (row.folder === 'drafts') {
    const letter = await readContentOfDraft(context, row, body)
    return sendDraftContent(context, writer, letter, {}, { draftId: id, answersFrom: row.mailbox_id })
  }
  if (row.delivery_state === null || row.mailbox_id === null)
    throw conflict('This email cannot be sent again.')
  const { user, mailbox } = await senderFor(context, writer.id, row.mailbox_id)
  await checkRecipients(context, writer.id, {
    to: row.to_line,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
  })
  await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, writer.id, id)
    if (mail?.delivery == null) throw notFound(EMAIL_NOT_FOUND)
    const now = context.clock.now()
    if (!(await requeueDelivery(tx, writer.id, id, now))) throw conflict(whyNot(mail.delivery.state))
    // Nobody has it yet: it bears the time at which it goes out, and has as long as a new one to get through.
    if (mail.delivery.state === 'failed')
      await changeMail(tx, writer.id, id, { created_at: now, occurred_at: now, schedule_at: null })
    await context.live.publish(tx, writer.id, { topic: 'emails' })
  })
  await deliverOrRefuse(context, {
    userId: writer.id,
    emailId: id,
    mailboxId: mailbox.id,
    senderName: user.name,
  })
  return listedMail(context, writer.id, id)
}

function whyNot(state: string): string {
  if (state === 'unsure') return 'It is not known yet whether this email has left. Howl is looking it up.'
  return state === 'sent' ? 'This email has left already.' : 'This email is on its way.'
}
