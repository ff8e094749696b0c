import { longDay } from '#contract/invoice-document/invoice-document.ts'
import { money } from '#contract/money.ts'
import { fillNames } from '#contract/payment-reminders.ts'
import type { Queryable } from '../database/handles.ts'
import { contactsById } from '../contacts/contacts.ts'
import type { InvoiceWords } from '../invoice-mail/invoice-mail.ts'
import type { StoredInvoice } from '../invoices/invoices.ts'
import type { ReminderRow, SettingsRow } from './store.ts'

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
export async function wordsOf(
  db: Queryable,
  invoice: StoredInvoice,
  template: { subject: string; text: string },
  link: string | null,
): Promise<InvoiceWords> {
  const { buyer, seller } = invoice.content
  const values = {
    name: buyer.name || buyer.business_name,
    number: invoice.number ?? '',
    amount: money(invoice.due, invoice.currency),
    due_date: longDay(invoice.due_date),
    sender: seller.business_name || seller.name,
    link: link ?? '',
  }
  const paragraphs = template.text
    .split('\n\n')
    .filter((paragraph) => link !== null || !/\{\{\s*link\s*\}\}/.test(paragraph))
  return {
    to: buyer.email || (await addressOfContact(db, invoice)),
    cc: '',
    subject: fillNames(template.subject, values).replaceAll(/\s+/g, ' '),
    text: fillNames(paragraphs.join('\n\n'), values),
  }
}

async function addressOfContact(db: Queryable, { user_id, contact_id }: StoredInvoice): Promise<string> {
  if (contact_id === null) return ''
  return (await contactsById(db, user_id, [contact_id])).get(contact_id)?.email ?? ''
}
