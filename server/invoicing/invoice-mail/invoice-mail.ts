import type { Context } from '../../platform/context.ts'
import type { Loop } from '../../platform/jobs/loop.ts'
import { startSettling } from './settle-mails.ts'

// What other domains may use of mails about invoices.
export { invoiceMailRoutes } from './routes.ts'
export { type InvoiceWords, sendInvoice, type SendInvoiceOptions } from './send-invoice.ts'
export { clearInvoiceLinks, linksOf } from './invoice-link.ts'
export { type InvoiceRecipients, sentTo } from './store.ts'

/** The background loops of mails about invoices. */
export function startInvoiceMailLoops(context: Context): Loop[] {
  return startSettling(context)
}
