import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import { FOUND_MAX, type InvoiceRow, invoices } from '#contract/invoicing/saved-invoices.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { PAGE_SIZES } from '#web/platform/list-query.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { List } from '#web/platform/ui/List.tsx'
import type { TabFilter, useInvoiceFilters } from './invoice-filters.ts'
import {
  customerText,
  documentName,
  dueText,
  invoicePath,
  isOpen,
  isUnanswered,
  shortDay,
} from './invoice-text.ts'
import { InvoiceMenu } from './InvoiceMenu.tsx'
import { InvoiceStatusBadge } from './InvoiceStatusBadge.tsx'
import type { InvoiceActs } from './invoice-acts.ts'
import { useToday } from './use-today.ts'

type InvoiceListProps = { asked: ReturnType<typeof useInvoiceFilters>; acts: InvoiceActs }

/** One page of invoices, credit notes and quotes, or why there are none. */
export function InvoiceList({ asked, acts }: InvoiceListProps) {
  const { filter, search, sort, page, pageSize } = asked
  const today = useToday()
  const query = usePage(invoices.list, {
    query: { status: filter, search, sort, page, page_size: pageSize },
  })
  const { data } = query
  const isMore = search !== '' && (data?.total ?? 0) > FOUND_MAX
  return (
    <List
      label="Invoices"
      query={query}
      failed="Failed to load invoices"
      rows={data?.rows}
      keyOf={({ id }) => id}
      sorted={{ sort, onSort: asked.setSort }}
      className="table-fixed [&_:is(td,th)]:px-2 [&>thead]:top-(--head-height,3.5rem) [&>thead]:shadow-[0_1px_var(--line)]"
      columns={{
        number: {
          title: 'Number',
          className: 'w-38',
          render: (row) => <InvoiceLink row={row} className="block truncate" />,
        },
        customer: {
          title: 'Customer',
          sorts: ['customer', '-customer'],
          tooltip: ({ customer }) => customer,
          render: ({ customer }) => (
            <bdi className={cx('block truncate text-left', customer === '' && 'text-ink-2')}>
              {customerText(customer)}
            </bdi>
          ),
        },
        status: {
          title: 'Status',
          className: 'w-27',
          render: (row) => <InvoiceStatusBadge document={row} />,
        },
        issued: {
          title: 'Issue date',
          sorts: ['-issue_date', 'issue_date'],
          className: 'hidden w-28 lg:table-cell',
          cellClass: 'whitespace-nowrap text-ink-2',
          render: (row) => shortDay(row.issue_date),
        },
        due: {
          title: 'Due',
          sorts: ['due_date', '-due_date'],
          className: 'w-28',
          cellClass: 'whitespace-nowrap',
          render: (row) => <DueDay row={row} today={today} />,
        },
        total: {
          title: 'Amount',
          sorts: ['-total', 'total'],
          className: 'w-32',
          cellClass: 'whitespace-nowrap',
          align: 'right',
          // Of a credit note with a minus, because it goes the other way.
          render: ({ kind, sums, currency }) => (
            <span className="font-medium tabular-nums">
              {money(kind === 'credit_note' ? -sums.total : sums.total, currency)}
            </span>
          ),
        },
        left: {
          title: 'Left to pay',
          className: 'hidden w-32 lg:table-cell',
          cellClass: 'whitespace-nowrap',
          align: 'right',
          render: (row) =>
            isOpen(row) ? money(row.sums.due, row.currency) : <span className="text-ink-2">–</span>,
        },
        actions: {
          title: <span className="sr-only">Actions</span>,
          className: 'w-46',
          render: (row) => (
            <div className="flex items-center justify-end gap-1">
              <MainAct row={row} acts={acts} />
              <InvoiceMenu invoice={row} acts={acts} />
            </div>
          ),
        },
      }}
      cardClass="flex-col gap-1.5 py-3 pr-2 pl-4"
      renderCard={(row, cells) => (
        <>
          <div className="flex items-baseline justify-between gap-3 pr-2">
            <span className="min-w-0 font-medium">{cells.customer}</span>
            <span className="shrink-0">{cells.total}</span>
          </div>
          <div className="flex items-center justify-between gap-3 pr-2 text-sm">
            <InvoiceLink row={row} className="min-w-0 truncate py-1 text-ink-2" />
            {cells.status}
          </div>
          <div className="flex items-center justify-between gap-2 text-sm">
            <span className="text-ink-2">
              {isOpen(row) || isUnanswered(row) ? (
                <>
                  {isOpen(row) ? 'Due ' : 'Valid until '}
                  {cells.due}
                </>
              ) : (
                cells.issued
              )}
            </span>
            {cells.actions}
          </div>
        </>
      )}
      empty={
        data?.total === 0 && !query.isPlaceholderData ? (
          <NothingHere filter={filter} search={search} onClear={asked.clear} />
        ) : undefined
      }
      pages={{
        page,
        pageSize,
        total: isMore ? FOUND_MAX : (data?.total ?? 0),
        atLeast: isMore,
        noun: 'invoices',
        sizes: PAGE_SIZES,
        onPage: asked.setPage,
        onPageSize: asked.setPageSize,
      }}
    />
  )
}

/** The number of a document as a link to it. */
function InvoiceLink({ row, className }: { row: InvoiceRow; className?: string }) {
  return (
    <Link
      to={invoicePath(row.id)}
      title={documentName(row)}
      className={cx('w-fit max-w-full rounded-sm font-medium hover:text-accent hover:underline', className)}
    >
      <bdi>{documentName(row)}</bdi>
    </Link>
  )
}

function DueDay({ row, today }: { row: InvoiceRow; today: string }) {
  return (
    <span
      title={isOpen(row) ? shortDay(row.due_date) : undefined}
      className={row.status === 'overdue' ? 'font-medium text-danger' : isOpen(row) ? '' : 'text-ink-2'}
    >
      {dueText(row, today)}
    </span>
  )
}

/** What is most likely done next; on a screen with a pointer it shows with the row. */
function MainAct({ row, acts }: { row: InvoiceRow; acts: InvoiceActs }) {
  const act = actOf(row, acts)
  if (act === null) return null
  return (
    <Button
      size="s"
      aria-label={`${act.label}, ${documentName(row)}, ${customerText(row.customer)}`}
      onClick={() => act.run(row)}
      className="md:pointer-fine:opacity-0 md:pointer-fine:group-hover:opacity-100 md:pointer-fine:group-focus-within:opacity-100"
    >
      {act.label}
    </Button>
  )
}

function actOf(row: InvoiceRow, acts: InvoiceActs): { label: string; run: (row: InvoiceRow) => void } | null {
  if (row.status === 'draft') return { label: 'Issue', run: acts.issue }
  if (isUnanswered(row)) return { label: 'Mark as accepted', run: acts.accept }
  if (row.status === 'accepted') return { label: 'Create invoice', run: acts.makeInvoice }
  return isOpen(row) ? { label: 'Record payment', run: acts.pay } : null
}

const NOTHING: Record<TabFilter, string> = {
  all: 'No invoices yet',
  draft: 'No drafts',
  open: 'Nothing is open',
  overdue: 'Nothing is overdue',
  paid: 'Nothing has been paid yet',
  credit_notes: 'No credit notes',
  quotes: 'No quotes yet',
}

type NothingHereProps = { filter: TabFilter; search: string; onClear: () => void }

function NothingHere({ filter, search, onClear }: NothingHereProps) {
  if (search === '')
    return (
      <EmptyState title={NOTHING[filter]} action={<Button onClick={onClear}>Show all invoices</Button>} />
    )
  return (
    <EmptyState title="No invoices match" action={<Button onClick={onClear}>Clear search</Button>}>
      Try fewer letters or another word.
    </EmptyState>
  )
}
