import type { SentInvoiceMail } from '#contract/invoicing/invoice-mail.ts'
import type { Context } from '../../platform/context.ts'
import { deliveryOutcomes } from '../../mail/emails/emails.ts'
import { getInvoice, type Reader } from '../invoices/invoices.ts'
import { settleMails } from './settle-mails.ts'
import { MAILS_MAX, mailsOf } from './store.ts'

/** The mails about a document, the newest first, as things are at this moment. @throws Refusal 404 */
export async function listMails(context: Context, user: Reader, id: number): Promise<SentInvoiceMail[]> {
  const { db } = context
  await getInvoice(context, user, id)
  await settleMails(context, await mailsOf(db, user.id, id, MAILS_MAX))
  const mails = await mailsOf(db, user.id, id, MAILS_MAX)
  const ids = mails.map((mail) => mail.email_id)
  const outcomes = await deliveryOutcomes(db, user.id, ids)
  return mails.map((mail) => {
    const outcome = outcomes.get(mail.email_id)
    return {
      id: mail.id,
      kind: mail.kind,
      email_id: outcome?.messageId == null ? null : mail.email_id,
      is_draft: outcome?.state === 'draft',
      to: mail.to_line,
      subject: mail.subject,
      state: mail.state,
      reason: mail.reason,
      practice: mail.is_practice,
      at: (mail.settled_at ?? mail.created_at).toISOString(),
    }
  })
}
