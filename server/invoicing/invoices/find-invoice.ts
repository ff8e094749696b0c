import type { Invoice, InvoiceKind } from '#contract/invoicing/saved-invoices.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { paymentsOf } from './payments-store.ts'
import { presentInvoice } from './present.ts'
import { nameOfRecurring } from './recurring/recurring-store.ts'
import { creditNotesOf, findInvoice, invoiceOfQuote } from './store.ts'
import { type Reader, todayOf } from './today.ts'

/** One document with all that belongs to it. @throws Refusal 404 */
export async function getInvoice({ clock, db }: Context, user: Reader, id: number): Promise<Invoice> {
  const today = todayOf(clock, user.timeZone)
  const row = await findInvoice(db, user.id, id, today)
  if (row === undefined) throw noInvoice()
  const { contact_id: contactId, credits_id: creditsId, quote_id: quoteId } = row
  const [payments, creditNotes, credits, quote, invoice, contacts, recurring] = await Promise.all([
    paymentsOf(db, user.id, id),
    creditNotesOf(db, user.id, id),
    creditsId === null ? undefined : findInvoice(db, user.id, creditsId, today),
    quoteId === null ? undefined : findInvoice(db, user.id, quoteId, today),
    row.kind === 'quote' ? invoiceOfQuote(db, user.id, id, today) : undefined,
    contactId === null ? undefined : contactsById(db, user.id, [contactId]),
    row.recurring_id === null ? undefined : nameOfRecurring(db, user.id, row.recurring_id),
  ])
  const contact = contacts?.get(contactId ?? 0)
  return presentInvoice(row, { payments, creditNotes, credits, quote, invoice, contact, recurring })
}

/** The sentence for a missing invoice. */
export const noInvoice = () => notFound('This invoice does not exist.')

/** What is said where only a draft can be changed. */
export const locked = (kind: InvoiceKind) => conflict(LOCKED[kind])

const LOCKED: Record<InvoiceKind, string> = {
  invoice: 'This invoice has been issued and stays as it is. A credit note can take it back.',
  credit_note: 'This credit note has been issued and stays as it is.',
  quote: 'This quote has been issued and stays as it is. Duplicate it to offer something else.',
}
