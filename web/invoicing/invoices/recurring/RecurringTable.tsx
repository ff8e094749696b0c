import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import type { RecurringInvoice } from '#contract/invoicing/recurring-invoices.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Cell, type Column, Table, TableRow } from '#web/platform/ui/Table.tsx'
import { customerText, invoicePath, shortDay } from '../list/invoice-text.ts'
import { endText, EVERY_WORDS, MAKES_WORDS } from './recurring-text.ts'
import { RecurringMenu } from './RecurringMenu.tsx'
import type { RecurringActs } from './recurring-acts.ts'

type RecurringTableProps = { rows: readonly RecurringInvoice[]; loading: boolean; acts: RecurringActs }

const WIDTHS = {
  repeats: 'w-36',
  next: 'w-30',
  ends: 'hidden w-34 lg:table-cell',
  last: 'w-36',
  total: 'w-32',
  state: 'w-24',
  actions: 'w-14',
}

const COLUMNS: Column[] = [
  { key: 'customer', title: 'Customer' },
  { key: 'repeats', title: 'Repeats', className: WIDTHS.repeats },
  { key: 'next', title: 'Next', className: WIDTHS.next },
  { key: 'ends', title: 'Ends', className: WIDTHS.ends },
  { key: 'last', title: 'Last made', className: WIDTHS.last },
  { key: 'total', title: 'Amount', className: WIDTHS.total, align: 'right' },
  { key: 'state', title: 'State', className: WIDTHS.state },
  { key: 'actions', title: <span className="sr-only">Actions</span>, className: WIDTHS.actions },
]

/** Recurring invoices as a table, for wide screens. */
export function RecurringTable({ rows, loading, acts }: RecurringTableProps) {
  return (
    <Table
      label="Recurring invoices"
      columns={COLUMNS}
      loading={loading}
      className="table-fixed [&_:is(td,th)]:px-2 [&>thead]:static [&>thead]:bg-transparent"
    >
      {rows.map((row) => (
        <TableRow key={row.id}>
          <Cell title={row.customer}>
            <bdi className={cx('block truncate text-left font-medium', row.customer === '' && 'text-ink-2')}>
              {customerText(row.customer)}
            </bdi>
            <Fault row={row} />
          </Cell>
          <Cell className="whitespace-nowrap">
            {EVERY_WORDS[row.every]}
            <span className="block text-sm text-ink-2">{MAKES_WORDS[row.makes]}</span>
          </Cell>
          <Cell className="whitespace-nowrap">
            <NextDay row={row} />
          </Cell>
          <Cell className={cx('text-ink-2', WIDTHS.ends)}>{endText(row)}</Cell>
          <Cell>
            <LastMade row={row} />
          </Cell>
          <Cell align="right" className="font-medium whitespace-nowrap">
            <Amount row={row} />
          </Cell>
          <Cell>
            <StateBadge row={row} />
          </Cell>
          <Cell>
            <div className="flex justify-end">
              <RecurringMenu row={row} acts={acts} />
            </div>
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}

const STATES: Record<RecurringInvoice['state'], { word: string; tone: BadgeTone }> = {
  active: { word: 'Active', tone: 'green' },
  paused: { word: 'Paused', tone: 'amber' },
  ended: { word: 'Ended', tone: 'gray' },
}

export function StateBadge({ row: { state } }: { row: RecurringInvoice }) {
  return <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
}

export function Amount({ row: { total, currency } }: { row: RecurringInvoice }) {
  return total === null ? 'Too large' : money(total, currency)
}

export function NextDay({ row: { state, next_on } }: { row: RecurringInvoice }) {
  return state === 'active' ? shortDay(next_on) : <span className="text-ink-2">–</span>
}

/** The newest document that it made, as a link. */
export function LastMade({ row: { last } }: { row: RecurringInvoice }) {
  if (last === null) return <span className="text-ink-2">None yet</span>
  return (
    <Link
      to={invoicePath(last.id)}
      className="block w-fit max-w-full truncate rounded-sm hover:text-accent hover:underline"
    >
      <bdi>{last.number || `Draft of ${shortDay(last.issue_date)}`}</bdi>
    </Link>
  )
}

/** Why the last one was not issued. */
export function Fault({ row: { fault, state } }: { row: RecurringInvoice }) {
  if (fault === '') return null
  return (
    <span className="block text-sm wrap-anywhere whitespace-normal text-danger">
      {state === 'paused' ? 'Paused' : 'The last one stayed a draft'}: {fault}
    </span>
  )
}
