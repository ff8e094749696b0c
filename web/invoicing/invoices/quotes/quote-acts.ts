import type { InvoiceRow } from '#contract/invoicing/saved-invoices.ts'

/** A quote as its acts need it: its row, or the whole document. */
export type QuoteSubject = Pick<InvoiceRow, 'id' | 'kind' | 'number' | 'status' | 'customer'>

/** What can be done with a quote besides what all documents have. */
export type QuoteActs = {
  accept: (row: QuoteSubject) => void
  decline: (row: QuoteSubject) => void
  openAgain: (row: QuoteSubject) => void
  makeInvoice: (row: QuoteSubject) => void
}
