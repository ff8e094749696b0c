import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import { deliveryOutcomes } from '../../mail/emails/emails.ts'
import { primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { MAILS_MAX, mailsOf } from './store.ts'

/** The mail that the next one about a document answers, and the account that holds it. */
export type AnsweredMail = { messageId: string; mailboxId: number | null }

type Documents = Pick<Invoice, 'id' | 'credits' | 'quote'>

/**
 * The newest mail about a document that has left; of a credit note without one, that of its invoice; of an invoice without
 * one, that of its quote. Null for the first. Mails of practice answer only each other.
 */
export async function answeredMail(
  { db }: Context,
  userId: number,
  { id, credits, quote }: Documents,
  isPractice: boolean,
): Promise<AnsweredMail | null> {
  const origin = credits ?? quote
  for (const about of origin === null ? [id] : [id, origin.id]) {
    const mails = await mailsOf(db, userId, about, MAILS_MAX)
    const mail = mails.find((one) => one.state === 'sent' && one.is_practice === isPractice)
    if (mail === undefined) continue
    const outcome = (await deliveryOutcomes(db, userId, [mail.email_id])).get(mail.email_id)
    return { messageId: mail.message_id, mailboxId: outcome?.mailboxId ?? null }
  }
  return null
}

/**
 * The account by which the next mail about a document goes if nobody chooses one: the one that its customer knows, while it is
 * connected; in practice only that of practice. Null: the one in use.
 */
export async function usualMailbox(context: Context, userId: number, invoice: Documents) {
  const inUse = await primaryMailbox(context.db, userId)
  if (inUse?.is_practice === true) return null
  return (await answeredMail(context, userId, invoice, false))?.mailboxId ?? null
}
