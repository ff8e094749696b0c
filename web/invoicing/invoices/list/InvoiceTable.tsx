import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import type { InvoiceRow, InvoiceSort } from '#contract/invoicing/saved-invoices.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { sortableColumn } from '#web/platform/ui/sortable-column.tsx'
import { Cell, type Column, Table, TableRow } from '#web/platform/ui/Table.tsx'
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

type InvoiceTableProps = {
  rows: readonly InvoiceRow[]
  loading: boolean
  sort: InvoiceSort
  onSort: (sort: InvoiceSort) => void
  today: string
  acts: InvoiceActs
}

const WIDTHS = {
  number: 'w-38',
  status: 'w-27',
  issued: 'hidden w-28 lg:table-cell',
  due: 'w-28',
  total: 'w-32',
  left: 'hidden w-32 lg:table-cell',
  actions: 'w-46',
}

/** Invoices as a table, for wide screens. */
export function InvoiceTable({ rows, loading, sort, onSort, today, acts }: InvoiceTableProps) {
  const sorted = { sort, onSort }
  const columns: Column[] = [
    { key: 'number', title: 'Number', className: WIDTHS.number },
    sortableColumn({ key: 'customer', title: 'Customer' }, ['customer', '-customer'], sorted),
    { key: 'status', title: 'Status', className: WIDTHS.status },
    sortableColumn(
      { key: 'issued', title: 'Issue date', className: WIDTHS.issued },
      ['-issue_date', 'issue_date'],
      sorted,
    ),
    sortableColumn({ key: 'due', title: 'Due', className: WIDTHS.due }, ['due_date', '-due_date'], sorted),
    sortableColumn(
      { key: 'total', title: 'Amount', className: WIDTHS.total, align: 'right' },
      ['-total', 'total'],
      sorted,
    ),
    { key: 'left', title: 'Left to pay', className: WIDTHS.left, align: 'right' },
    { key: 'actions', title: <span className="sr-only">Actions</span>, className: WIDTHS.actions },
  ]
  return (
    <Table
      label="Invoices"
      columns={columns}
      loading={loading}
      className="table-fixed [&_:is(td,th)]:px-2 [&>thead]:top-(--head-height,3.5rem) [&>thead]:shadow-[0_1px_var(--line)]"
    >
      {rows.map((row) => (
        <TableRow key={row.id} className="group">
          <Cell className={WIDTHS.number}>
            <InvoiceLink row={row} className="block truncate" />
          </Cell>
          <Cell title={row.customer}>
            <bdi className={cx('block truncate text-left', row.customer === '' && 'text-ink-2')}>
              {customerText(row.customer)}
            </bdi>
          </Cell>
          <Cell>
            <InvoiceStatusBadge document={row} />
          </Cell>
          <Cell className={cx('whitespace-nowrap text-ink-2', WIDTHS.issued)}>
            {shortDay(row.issue_date)}
          </Cell>
          <Cell className="whitespace-nowrap">
            <DueDay row={row} today={today} />
          </Cell>
          <Cell align="right" className="whitespace-nowrap">
            <Amount row={row} />
          </Cell>
          <Cell align="right" className={cx('whitespace-nowrap', WIDTHS.left)}>
            {isOpen(row) ? money(row.sums.due, row.currency) : <span className="text-ink-2">–</span>}
          </Cell>
          <Cell>
            <div className="flex items-center justify-end gap-1">
              <MainAct row={row} acts={acts} />
              <InvoiceMenu invoice={row} acts={acts} />
            </div>
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}

/** The number of a document as a link to it. */
export function InvoiceLink({ row, className }: { row: InvoiceRow; className?: string }) {
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

/** The amount; of a credit note with a minus, because it goes the other way. */
export function Amount({ row, className }: { row: InvoiceRow; className?: string }) {
  const sign = row.kind === 'credit_note' ? -1 : 1
  return (
    <span className={cx('font-medium tabular-nums', className)}>
      {money(sign * row.sums.total, row.currency)}
    </span>
  )
}

export function DueDay({ row, today }: { row: InvoiceRow; today: string }) {
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
export function MainAct({ row, acts }: { row: InvoiceRow; acts: InvoiceActs }) {
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
