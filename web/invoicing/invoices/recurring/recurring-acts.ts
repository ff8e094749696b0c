import type { RecurringInvoice, RecurringState } from '#contract/invoicing/recurring-invoices.ts'

/** What can be done with a recurring invoice. */
export type RecurringActs = {
  change: (row: RecurringInvoice) => void
  setState: (row: RecurringInvoice, state: RecurringState) => void
}
