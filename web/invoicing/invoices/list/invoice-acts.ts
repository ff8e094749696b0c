import { type InvoiceRow, invoices } from '#contract/invoicing/saved-invoices.ts'
import type { QuoteActs } from '../quotes/quote-acts.ts'

/** What an act needs to know of an invoice: its row, or the whole document. */
export type Subject = Pick<
  InvoiceRow,
  'id' | 'kind' | 'number' | 'status' | 'customer' | 'currency' | 'sums' | 'issue_date'
>

export type InvoiceActs = QuoteActs & {
  issue: (row: Subject) => void
  send: (row: Subject) => void
  pay: (row: Subject) => void
  duplicate: (row: Subject) => void
  repeat: (row: Subject) => void
  credit: (row: Subject) => void
  remove: (row: Subject) => void
}

/** The answers that every act changes. */
export const CHANGED = [
  invoices.list,
  invoices.totals,
  invoices.get,
  invoices.nextNumber,
  invoices.series,
] as const
