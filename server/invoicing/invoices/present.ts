import { countInvoice } from '#contract/invoicing/invoices.ts'
import type { Invoice, InvoiceRow } from '#contract/invoicing/saved-invoices.ts'
import { wholeContent } from './draft-content.ts'
import type { ListedInvoice } from './list-store.ts'
import type { creditNotesOf, invoiceOfQuote, InvoiceRecord, PaymentRow } from './store.ts'

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
export type Belongings = {
  payments: PaymentRow[]
  creditNotes: Awaited<ReturnType<typeof creditNotesOf>>
  credits: { id: number; number: string | null } | undefined
  quote: { id: number; number: string | null } | undefined
  invoice: Awaited<ReturnType<typeof invoiceOfQuote>>
  contact: { id: number; name: string } | undefined
  recurring: { id: number; every: string; customer: string } | undefined
}

/** A whole document. */
export function presentInvoice(
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
