import { countInvoice, invoiceDraft } from '../invoices.ts'
import { BASE_CURRENCY } from '../money.ts'
import type { Invoice } from '../saved-invoices.ts'
import { NO_TAX, taxOf } from '../tax.ts'
import type { InvoiceContent } from './invoice-document.ts'

/**
 * What the pages of a saved document show: what was written, at the rate that was fixed. Payments since are not on it: it
 * stays what the customer got. Null for what this version cannot read.
 */
export function documentContent(invoice: Invoice): InvoiceContent | null {
  const { convert, credits, currency, rate, rate_date } = invoice
  const { data: draft } = invoiceDraft.safeParse(invoice)
  if (draft === undefined) return null
  const { tax_name } = taxOf(draft.country, draft.sector, draft.seller.tax_number)
  return {
    draft,
    credits: credits?.number ?? null,
    counted: countInvoice(draft, rate),
    taxName: tax_name === NO_TAX.tax_name ? 'Tax' : tax_name,
    isUnconverted: convert && currency !== BASE_CURRENCY && rate_date === null,
  }
}
