import type { ColumnType, Generated } from 'kysely'
import type { Every, Makes, RecurringState } from '#contract/invoicing/recurring-invoices.ts'
import type { InvoiceContent, InvoiceKind, InvoiceStatus } from '#contract/invoicing/saved-invoices.ts'

type Computed<T> = ColumnType<T, never, never>

export type InvoicesTable = {
  user_id: number
  id: Generated<number>
  kind: InvoiceKind
  version: Generated<number>
  number: string | null
  credits_id: number | null
  /** The quote that an invoice was made from. */
  quote_id: number | null
  contact_id: number | null
  currency: string
  rate: number
  rate_date: Date | null
  issue_date: string
  due_date: string
  content: InvoiceContent
  customer: string
  search: string
  /** Of `search`; null until a worker has written them. */
  words: string | null
  net: number
  tax: number
  discount: number
  total: number
  paid: Generated<number>
  credited: Generated<number>
  due: Computed<number>
  issued_at: Date | null
  sent_at: Date | null
  viewed_at: Date | null
  deleted_at: Date | null
  // Of quotes.
  accepted_at: Date | null
  accepted_by: Generated<string>
  declined_at: Date | null
  declined_reason: Generated<string>
  answered_by_customer: Generated<boolean>
  /** When an invoice made from it was issued. */
  invoiced_at: Date | null
  created_at: Date
  updated_at: Date
  /** The schedule that made it, and for which of its periods. */
  recurring_id: number | null
  recurring_period: number | null
  /** The status without what depends on today. */
  phase: Computed<Exclude<InvoiceStatus, 'overdue' | 'expired'> | 'deleted'>
}

export type InvoicePaymentsTable = {
  user_id: number
  id: Generated<number>
  invoice_id: number
  /** Minor units. */
  amount: number
  /** `YYYY-MM-DD`. */
  paid_on: string
  note: string
  created_at: Date
}

/** The pattern of a kind's numbers, where it is not the usual one. */
type InvoiceSeriesTable = { user_id: number; kind: InvoiceKind; pattern: string }

/** The count of the next number. */
type InvoiceCountersTable = { user_id: number; pattern: string; period: string; next: number }

/** Counts and sums; kept by triggers. */
type InvoiceTotalsTable = {
  user_id: number
  kind: InvoiceKind
  currency: string
  phase: string
  /** Of what waits for money or for an answer; else ''. */
  due_date: string
  invoices: number
  paid: string
  due: string
}

/** A schedule. Its days are `YYYY-MM-DD` in its time zone. */
export type RecurringInvoicesTable = {
  user_id: number
  id: Generated<number>
  every: Every
  makes: Makes
  state: RecurringState
  time_zone: string
  /** The date of the period `anchor_period`; those of all others are counted from it. */
  anchor_on: string
  anchor_period: number
  next_period: number
  next_on: string
  /** When the next day begins; null unless active. */
  due_at: Date | null
  /** The date of the last one that was made. */
  last_on: string | null
  ends_on: string | null
  times: number | null
  made: Generated<number>
  /** Why the last one was not issued; '' if it was. */
  fault: Generated<string>
  contact_id: number | null
  currency: string
  customer: string
  content: InvoiceContent
  created_at: Date
  updated_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    invoices: InvoicesTable
    invoice_payments: InvoicePaymentsTable
    invoice_series: InvoiceSeriesTable
    invoice_counters: InvoiceCountersTable
    invoice_totals: InvoiceTotalsTable
    recurring_invoices: RecurringInvoicesTable
  }
}
