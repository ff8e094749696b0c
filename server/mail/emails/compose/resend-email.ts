import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { checkRecipients } from './check-recipients.ts'
import { changeMail, lockOwnMail, requeueDelivery } from './compositions-store.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { readContentOfDraft } from './draft-content.ts'
import { deliverOrRefuse, listedMail, sendDraftContent, type Caller } from './send-email.ts'
import { senderFor } from './sender.ts'
import { readBody } from '../content/read-body.ts'
import { findListed, type ListedEmail } from '../messages/store.ts'

/**
 * Retries a mail that was refused or deferred at once; a refused mail that is a draft again is sent.
 *
 * @throws Refusal 404; 409 when it has been sent or is on its way; 400 as in `sendEmail`
 */
export async function resendEmail(context: Context, caller: Caller, id: number): Promise<ListedEmail> {
  const row = await findListed(context.db, caller.id, id)
  if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
  const body = await readBody(context.db, caller.id, id)
  if (row.folder === 'drafts') {
    const content = await readContentOfDraft(context, context.db, row, body)
    return sendDraftContent(context, caller, content, {}, { draftId: id, preferredMailboxId: row.mailbox_id })
  }
  if (row.delivery_state === null || row.mailbox_id === null)
    throw conflict('This email cannot be sent again.')
  const { user, mailbox } = await senderFor(context, caller.id, row.mailbox_id)
  const lines = { to: row.to_line, cc: body?.cc_line ?? '', bcc: body?.bcc_line ?? '' }
  await checkRecipients(context, context.db, caller.id, lines, row.purpose)
  await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, caller.id, id)
    if (mail?.delivery == null) throw notFound(EMAIL_NOT_FOUND)
    const now = context.clock.now()
    if (!(await requeueDelivery(tx, caller.id, id, now))) throw conflict(refusalReason(mail.delivery.state))
    const isAutomatic = mail.delivery.group_id !== null
    const why = isAutomatic ? await context.delivery.groupMail.checkResend(tx, caller.id, id) : null
    if (why !== null) throw conflict(`${why}, so it wasn’t sent again.`)
    // Nobody has received it yet: it gets the time of this attempt as its date, and as long as a new mail to be delivered.
    if (mail.delivery.state === 'failed')
      await changeMail(tx, caller.id, id, { created_at: now, occurred_at: now, schedule_at: null })
    await context.live.publish(tx, caller.id, { topic: 'emails' })
  })
  await deliverOrRefuse(context, {
    userId: caller.id,
    emailId: id,
    mailboxId: mailbox.id,
    senderName: user.name,
  })
  return listedMail(context, caller.id, id)
}

function refusalReason(state: string): string {
  if (state === 'unsure') return 'Howl is still checking whether this email was sent.'
  return state === 'sent' ? 'This email has already been sent.' : 'This email is on its way.'
}
