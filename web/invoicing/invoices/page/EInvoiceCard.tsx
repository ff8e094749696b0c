import { lazy, Suspense } from 'react'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'

const EInvoicePanel = lazy(() =>
  import('./EInvoicePanel.tsx').then((module) => ({ default: module.EInvoicePanel })),
)

/** The invoice as data for machines. What says what it needs is loaded after the page. */
export function EInvoiceCard({ invoice }: { invoice: Invoice }) {
  return (
    <Suspense fallback={null}>
      <EInvoicePanel invoice={invoice} />
    </Suspense>
  )
}
