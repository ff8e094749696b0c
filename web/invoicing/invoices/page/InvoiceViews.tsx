import { type ReactNode, Suspense } from 'react'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { InvoiceLines } from './InvoiceLines.tsx'
import { money } from '#contract/invoicing/money.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const InvoicePreview = lazyPart(() => import('../document/InvoicePreview.tsx'), 'InvoicePreview')

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

/** What the document comes to, and what is left to pay of it. */
function InvoiceSums({ invoice: { currency, kind, status, sums } }: { invoice: Invoice }) {
  const line = (name: string, minor: number) => <Sum name={name} amount={money(minor, currency)} />
  return (
    <dl className="ml-auto grid w-full max-w-80 gap-1.5 px-4 py-4 tabular-nums">
      {line('Subtotal', sums.net)}
      {sums.taxes.map(({ percent, tax }) => (
        <Sum key={percent} name={`Tax ${percent / 1000}%`} amount={money(tax, currency)} />
      ))}
      {sums.discount === 0 ? null : line('Discount', -sums.discount)}
      <Sum name="Total" amount={money(sums.total, currency)} isStrong />
      {sums.paid === 0 ? null : line('Paid', -sums.paid)}
      {sums.credited === 0 ? null : line('Credited', -sums.credited)}
      {kind !== 'invoice' || status === 'draft' ? null : (
        <Sum name="Left to pay" amount={money(sums.due, currency)} isStrong />
      )}
    </dl>
  )
}

function Sum({ name, amount, isStrong = false }: { name: string; amount: string; isStrong?: boolean }) {
  return (
    <div className={cx('flex justify-between gap-4', isStrong ? 'font-semibold' : 'text-ink-2')}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </div>
  )
}
