import { longDay } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { money } from '#contract/invoicing/money.ts'
import { fillNames } from '#contract/invoicing/payment-reminders.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import { type InvoiceRecipients, type InvoiceWords, sentTo } from '../invoice-mail/invoice-mail.ts'
import type { RemindedInvoice, ReminderRow, SettingsRow } from './store.ts'

/** The words of a reminder before its names are filled: its own, else those of the settings. */
export function templateOf(
  { days, subject, text }: Pick<ReminderRow, 'days' | 'subject' | 'text'>,
  settings: SettingsRow,
): { subject: string; text: string } {
  return {
    subject: subject ?? settings.subject,
    text: text ?? (days < 0 ? settings.text_before : settings.text_after),
  }
}

/**
 * The mail of a reminder as the invoice is now. Without a link, the paragraph that has it is left out.
 *
 * @param link where the customer looks at the invoice; null if nobody could open it
 */
export function wordsOf(
  { content: { buyer, seller }, currency, due, due_date, number }: RemindedInvoice,
  template: { subject: string; text: string },
  link: string | null,
  recipients: InvoiceRecipients = { to: '', cc: '' },
): InvoiceWords {
  const values = {
    name: buyer.name || buyer.business_name,
    number: number ?? '',
    amount: money(due, currency),
    due_date: longDay(due_date),
    sender: seller.business_name || seller.name,
    link: link ?? '',
  }
  const paragraphs = template.text
    .split('\n\n')
    .filter((paragraph) => link !== null || !/\{\{\s*link\s*\}\}/.test(paragraph))
  return {
    ...recipients,
    subject: fillNames(template.subject, values).replaceAll(/\s+/g, ' '),
    text: fillNames(paragraphs.join('\n\n'), values),
  }
}

/** Who is reminded: whoever got the invoice last, else the address on it, else the contact's. By the invoice's id. */
export async function recipientsOf(
  db: Queryable,
  userId: number,
  invoices: readonly RemindedInvoice[],
): Promise<Map<number, InvoiceRecipients>> {
  const sent = await sentTo(
    db,
    userId,
    invoices.map(({ id }) => id),
  )
  const others = invoices.filter(({ id, content }) => !sent.has(id) && content.buyer.email === '')
  const contactIds = others.flatMap(({ contact_id }) => (contact_id === null ? [] : [contact_id]))
  const contacts = await contactsById(db, userId, contactIds)
  return new Map(
    invoices.map(({ id, contact_id, content }) => [
      id,
      sent.get(id) ?? {
        to: content.buyer.email || (contacts.get(contact_id ?? 0)?.email ?? ''),
        cc: '',
      },
    ]),
  )
}
