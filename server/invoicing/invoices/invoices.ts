import type { Context } from '../../platform/context.ts'
import type { Loop } from '../../platform/jobs/loop.ts'
import { startIndexingInvoices } from './index-invoices.ts'
import { startMakingInvoices } from './recurring/make-invoices.ts'
import { startForgettingDrafts } from './remove-invoice.ts'

// What other domains may use of invoices.
export { type Answer, answerQuote } from './answer-quote.ts'
export { getInvoice, lockedInvoice, noInvoice } from './find-invoice.ts'
export { noteSent, noteViewed } from './store.ts'
export { findInvoice, lockInvoice, type StoredInvoice } from './store.ts'
export { invoicesOf } from './list-store.ts'
export { pageOfInvoices, totalsOf } from './list-invoices.ts'
export type { PdfAttachment } from './pdf/draw-pdf.ts'
export { invoicePdf, type InvoicePdfOptions, pdfFileName } from './pdf/invoice-pdf.ts'
export { passOverRecurring, pauseRecurring } from './recurring/change-recurring.ts'
export { countRecurringDueBy } from './recurring/recurring-store.ts'
export { recurringRoutes } from './routes.ts'
export { addInvoice } from './save-draft.ts'
export { invoiceRoutes } from './routes.ts'
export { type Reader, todayOf } from './today.ts'

/** The background loops of invoices. */
export function startInvoiceLoops(context: Context): Loop[] {
  return [startForgettingDrafts(context), startMakingInvoices(context), startIndexingInvoices(context)]
}
