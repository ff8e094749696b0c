import type { Context } from '../context.ts'
import type { Loop } from '../jobs/loop.ts'
import { startForgettingDrafts } from './remove-invoice.ts'

// What other domains may use of invoices.
export { invoicesOf } from './list-store.ts'
export { totalsOf } from './list-invoices.ts'
export type { PdfAttachment } from './pdf/draw-pdf.ts'
export { invoicePdf, type InvoicePdfOptions, pdfFileName } from './pdf/invoice-pdf.ts'
export { invoiceRoutes } from './routes.ts'
export { todayOf } from './today.ts'

/** The background loops of invoices. */
export function startInvoiceLoops(context: Context): Loop[] {
  return [startForgettingDrafts(context)]
}
