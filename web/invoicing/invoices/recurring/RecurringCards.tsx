import type { RecurringInvoice } from '#contract/invoicing/recurring-invoices.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { customerText } from '../list/invoice-text.ts'
import { endText, EVERY_WORDS, MAKES_WORDS } from './recurring-text.ts'
import { RecurringMenu } from './RecurringMenu.tsx'
import type { RecurringActs } from './recurring-acts.ts'
import { Amount, Fault, LastMade, NextDay, StateBadge } from './RecurringTable.tsx'

type RecurringCardsProps = { rows: readonly RecurringInvoice[]; loading: boolean; acts: RecurringActs }

/** Recurring invoices as cards, for phones. */
export function RecurringCards({ rows, loading, acts }: RecurringCardsProps) {
  if (loading) return <SkeletonCards />
  return (
    <ul aria-label="Recurring invoices">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-col gap-1.5 border-b border-line py-3 pr-2 pl-4 last:border-0">
          <div className="flex items-baseline justify-between gap-3 pr-2">
            <bdi
              className={cx('min-w-0 truncate text-left font-medium', row.customer === '' && 'text-ink-2')}
            >
              {customerText(row.customer)}
            </bdi>
            <span className="shrink-0 font-medium tabular-nums">
              <Amount row={row} />
            </span>
          </div>
          <div className="flex items-center justify-between gap-3 pr-2 text-sm">
            <span className="text-ink-2">
              {EVERY_WORDS[row.every]}, {MAKES_WORDS[row.makes]}
            </span>
            <StateBadge row={row} />
          </div>
          <Fault row={row} />
          <div className="flex items-center justify-between gap-2 text-sm">
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
              {row.state === 'active' ? (
                <>
                  <dt className="text-ink-2">Next</dt>
                  <dd>
                    <NextDay row={row} />
                  </dd>
                </>
              ) : null}
              <dt className="text-ink-2">Last</dt>
              <dd className="min-w-0">
                <LastMade row={row} />
              </dd>
              {endText(row) === '–' ? null : (
                <>
                  <dt className="text-ink-2">{row.state === 'ended' ? 'Ended' : 'Ends'}</dt>
                  <dd>{endText(row)}</dd>
                </>
              )}
            </dl>
            <RecurringMenu row={row} acts={acts} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function SkeletonCards() {
  return (
    <div aria-busy>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 border-b border-line px-4 py-4 last:border-0">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-5 w-24" />
        </div>
      ))}
    </div>
  )
}
