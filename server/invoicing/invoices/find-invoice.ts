import type { Invoice, InvoiceKind, InvoiceRow } from '#contract/invoicing/saved-invoices.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { nameOfRecurring } from './recurring/recurring-store.ts'
import {
  creditNotesOf,
  findInvoice,
  invoiceOfQuote,
  type InvoiceRecord,
  lockInvoice,
  type PaymentRow,
  paymentsOf,
  type StoredInvoice,
} from './store.ts'
import { type Reader, todayOf } from './today.ts'
import { countInvoice } from '#contract/invoicing/invoices.ts'
import { wholeContent } from './draft-content.ts'
import type { ListedInvoice } from './list-store.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { changing } from '../../platform/changing.ts'

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

/** A document, locked until the transaction ends. @throws Refusal 404 */
export async function lockedInvoice(tx: Tx, userId: number, id: number): Promise<StoredInvoice> {
  const row = await lockInvoice(tx, userId, id)
  if (row === undefined) throw noInvoice()
  return row
}

/**
 * Does something with a document, which is locked meanwhile, and answers it as it is then; the user's open pages hear of it.
 *
 * @param change returns the id of the document to answer instead, if there is one
 * @throws Refusal 404; what `change` throws
 */
export async function changeDocument(
  context: Context,
  user: Reader,
  id: number,
  change: (tx: Tx, row: StoredInvoice) => Promise<number | void>,
): Promise<Invoice> {
  const other = await changing(context, user.id, 'invoices', async (tx) => {
    return change(tx, await lockedInvoice(tx, user.id, id))
  })
  return getInvoice(context, user, other ?? id)
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

/** A row of the list. */
export function presentRow(row: ListedInvoice): InvoiceRow {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    number: row.number ?? row.written_number,
    currency: row.currency,
    issue_date: row.issue_date,
    due_date: row.due_date,
    customer: row.customer,
    contact_id: row.contact_id,
    sums: { total: row.total, paid: row.paid, credited: row.credited, due: row.due },
    issued_at: row.issued_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** What belongs to a document besides its own row. */
type Belongings = {
  payments: PaymentRow[]
  creditNotes: Awaited<ReturnType<typeof creditNotesOf>>
  credits: { id: number; number: string | null } | undefined
  quote: { id: number; number: string | null } | undefined
  invoice: Awaited<ReturnType<typeof invoiceOfQuote>>
  contact: { id: number; name: string } | undefined
  recurring: { id: number; every: string; customer: string } | undefined
}

/** A whole document. */
function presentInvoice(
  row: InvoiceRecord,
  { payments, creditNotes, credits, quote, invoice, contact, recurring }: Belongings,
): Invoice {
  const content = wholeContent(row.content)
  // Counted anew: the columns have the same sums, but not those of each line and rate.
  const counted = countInvoice(content, row.rate).sums
  return {
    ...content,
    ...presentRow({ ...row, written_number: content.number }),
    version: row.version,
    rate: row.rate,
    rate_date: row.rate_date?.toISOString() ?? null,
    contact_id: contact?.id ?? null,
    contact: contact === undefined ? null : { id: contact.id, name: contact.name },
    sums: {
      net: row.net,
      tax: row.tax,
      taxes: counted?.taxes ?? [],
      lines: counted?.lines.map(({ net }) => net) ?? [],
      discount: row.discount,
      total: row.total,
      paid: row.paid,
      credited: row.credited,
      due: row.due,
    },
    payments: payments.map(({ id, amount, paid_on, note, created_at }) => ({
      id,
      amount,
      paid_on,
      note,
      created_at: created_at.toISOString(),
    })),
    credits: credits === undefined ? null : { id: credits.id, number: credits.number ?? '' },
    credit_notes: creditNotes.map(({ id, number, status, total }) => ({
      id,
      number: number ?? '',
      status,
      total,
    })),
    recurring: recurring ?? null,
    quote: quote === undefined ? null : { id: quote.id, number: quote.number ?? '' },
    invoice: invoice === undefined ? null : { ...invoice, number: invoice.number ?? '' },
    accepted_at: row.accepted_at?.toISOString() ?? null,
    accepted_by: row.accepted_by,
    declined_at: row.declined_at?.toISOString() ?? null,
    declined_reason: row.declined_reason,
    answered_by_customer: row.answered_by_customer,
    sent_at: row.sent_at?.toISOString() ?? null,
    viewed_at: row.viewed_at?.toISOString() ?? null,
  }
}
