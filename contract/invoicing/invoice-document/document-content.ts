import type { InvoiceKind } from '../invoice-kinds.ts'
import { countInvoice, type InvoiceDraft, invoiceDraft } from '../invoices.ts'
import { BASE_CURRENCY } from '../money.ts'
import type { Invoice } from '../saved-invoices.ts'
import { NO_TAX, taxOf } from '../tax.ts'
import type { InvoiceContent } from './invoice-document.ts'

/**
 * What the pages of a saved document show: what was written, at the rate that was fixed. Payments since are not on it: it
 * stays what the customer got. Null for what this version cannot read.
 */
export function documentContent(invoice: Invoice): InvoiceContent | null {
  const { data: draft } = invoiceDraft.safeParse(invoice)
  const { credits, kind, rate, rate_date } = invoice
  return draft === undefined
    ? null
    : draftContent(draft, { kind, credits: credits?.number ?? null, rate, isRateKnown: rate_date !== null })
}

/** What the pages of a draft show at a rate. */
export function draftContent(
  draft: InvoiceDraft,
  {
    kind,
    credits,
    rate,
    isRateKnown,
  }: { kind: InvoiceKind; credits: string | null; rate: number; isRateKnown: boolean },
): InvoiceContent {
  const { tax_name } = taxOf(draft.country, draft.sector, draft.seller.tax_number)
  return {
    kind,
    draft,
    credits,
    counted: countInvoice(draft, rate, kind),
    taxName: tax_name === NO_TAX.tax_name ? 'Tax' : tax_name,
    isUnconverted: draft.convert && draft.currency !== BASE_CURRENCY && !isRateKnown,
  }
}
