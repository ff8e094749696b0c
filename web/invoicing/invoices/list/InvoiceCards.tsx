import type { InvoiceRow } from '#contract/invoicing/saved-invoices.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { customerText, isOpen, isUnanswered, shortDay } from './invoice-text.ts'
import { InvoiceMenu } from './InvoiceMenu.tsx'
import { InvoiceStatusBadge } from './InvoiceStatusBadge.tsx'
import { Amount, DueDay, InvoiceLink, MainAct } from './InvoiceTable.tsx'
import type { InvoiceActs } from './invoice-acts.ts'

type InvoiceCardsProps = { rows: readonly InvoiceRow[]; loading: boolean; today: string; acts: InvoiceActs }

/** The invoices as cards, for phones. */
export function InvoiceCards({ rows, loading, today, acts }: InvoiceCardsProps) {
  if (loading) return <SkeletonCards />
  return (
    <ul aria-label="Invoices" className="border-t border-line">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-col gap-1.5 border-b border-line py-3 pr-2 pl-4 last:border-0">
          <div className="flex items-baseline justify-between gap-3 pr-2">
            <bdi
              className={cx('min-w-0 truncate text-left font-medium', row.customer === '' && 'text-ink-2')}
            >
              {customerText(row.customer)}
            </bdi>
            <Amount row={row} className="shrink-0" />
          </div>
          <div className="flex items-center justify-between gap-3 pr-2 text-sm">
            <InvoiceLink row={row} className="min-w-0 truncate py-1 text-ink-2" />
            <InvoiceStatusBadge document={row} />
          </div>
          <div className="flex items-center justify-between gap-2 text-sm">
            <span className="text-ink-2">
              {isOpen(row) || isUnanswered(row) ? (
                <>
                  {isOpen(row) ? 'Due ' : 'Valid until '}
                  <DueDay row={row} today={today} />
                </>
              ) : (
                shortDay(row.issue_date)
              )}
            </span>
            <span className="flex items-center gap-1">
              <MainAct row={row} acts={acts} />
              <InvoiceMenu invoice={row} acts={acts} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

function SkeletonCards() {
  return (
    <div aria-busy className="border-t border-line">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-5 w-24" />
        </div>
      ))}
    </div>
  )
}
