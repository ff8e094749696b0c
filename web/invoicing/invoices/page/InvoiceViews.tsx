import { lazy, type ReactNode, Suspense } from 'react'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { InvoiceLines } from './InvoiceLines.tsx'
import { InvoiceSums } from './InvoiceSums.tsx'

const InvoicePreview = lazy(() =>
  import('../document/InvoicePreview.tsx').then((module) => ({ default: module.InvoicePreview })),
)

const VIEWS = [
  { value: 'figures', label: 'Overview' },
  { value: 'document', label: 'Document' },
] as const

type InvoiceViewsProps = {
  invoice: Invoice
  content: InvoiceContent | null
  /** What has become of the document, shown below either of them. */
  story: ReactNode
  /** What is shown beside them. */
  children: ReactNode
}

/**
 * The figures of a document, or its pages as the customer sees them. The figures come first: they are there at once, and are
 * readable on a phone. Which one is shown is in the address.
 */
export function InvoiceViews({ invoice, content, story, children }: InvoiceViewsProps) {
  const [query, setQuery] = useAddressQuery()
  const view = query.get('view') === 'document' && content !== null ? 'document' : 'figures'
  const show = (next: typeof view) =>
    setQuery(
      (now) => {
        if (next === 'document') now.set('view', next)
        else now.delete('view')
        return now
      },
      { replace: true },
    )
  const shown = (
    <div className={TWO_COLUMNS}>
      <div className="grid min-w-0 gap-5">
        {view === 'document' && content !== null ? (
          <Suspense fallback={<Skeleton className="mx-auto aspect-[1/1.414] w-full max-w-200 rounded-sm" />}>
            <InvoicePreview content={content} />
          </Suspense>
        ) : (
          <Card title="Lines" flush>
            <InvoiceLines invoice={invoice} counted={content?.counted ?? null} />
            <InvoiceSums invoice={invoice} />
          </Card>
        )}
        {story}
      </div>
      <div className="grid gap-5">{children}</div>
    </div>
  )
  if (content === null) return shown
  return (
    <Tabs label="Views" tabs={VIEWS} value={view} onChange={show}>
      {shown}
    </Tabs>
  )
}

/** The document, and beside it what is known of it. */
export const TWO_COLUMNS = 'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]'
