import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import { type RecurringInvoice, recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { List } from '#web/platform/ui/List.tsx'
import { customerText, invoicePath, shortDay } from '../list/invoice-text.ts'
import { endText, EVERY_WORDS, LIST_SIZE, MAKES_WORDS, recurringName } from './recurring-text.ts'
import type { RecurringActs } from './recurring-acts.ts'
import { CircleStop, Ellipsis, Pause, Pencil, Play } from 'lucide-react'
import { Menu } from '#web/platform/ui/Menu.tsx'
import type { MenuEntry } from '#web/platform/ui/menu-props.ts'

const STATES: Record<RecurringInvoice['state'], { word: string; tone: BadgeTone }> = {
  active: { word: 'Active', tone: 'green' },
  paused: { word: 'Paused', tone: 'amber' },
  ended: { word: 'Ended', tone: 'gray' },
}

/** All recurring invoices: how often each is made, when next, and what it made last. */
export function RecurringList({ acts, empty }: { acts: RecurringActs; empty: ReactNode }) {
  const waits = useMailWait()
  const query = useEndpoint(recurringInvoices.list, { query: { page_size: LIST_SIZE } })
  return (
    <List
      label="Recurring invoices"
      query={query}
      failed="Failed to load recurring invoices"
      rows={query.data}
      keyOf={({ id }) => id}
      className="table-fixed [&_:is(td,th)]:px-2 [&>thead]:static [&>thead]:bg-transparent"
      columns={{
        customer: {
          title: 'Customer',
          tooltip: ({ customer }) => customer,
          render: (row) => (
            <>
              <Customer row={row} />
              <Fault row={row} />
            </>
          ),
        },
        repeats: {
          title: 'Repeats',
          className: 'w-36',
          cellClass: 'whitespace-nowrap',
          render: ({ every, makes }) => (
            <>
              {EVERY_WORDS[every]}
              <span className="block text-sm text-ink-2">{MAKES_WORDS[makes]}</span>
            </>
          ),
        },
        next: {
          title: 'Next',
          className: 'w-30',
          render: ({ state, next_on }) =>
            state === 'active' ? (waits ?? shortDay(next_on)) : <span className="text-ink-2">–</span>,
        },
        ends: {
          title: 'Ends',
          className: 'hidden w-34 lg:table-cell',
          cellClass: 'text-ink-2',
          render: endText,
        },
        last: { title: 'Last made', className: 'w-36', render: (row) => <LastMade row={row} /> },
        total: {
          title: 'Amount',
          className: 'w-32',
          cellClass: 'font-medium whitespace-nowrap',
          align: 'right',
          render: ({ total, currency }) => (total === null ? 'Too large' : money(total, currency)),
        },
        state: {
          title: 'State',
          className: 'w-24',
          render: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>,
        },
        actions: {
          title: <span className="sr-only">Actions</span>,
          className: 'w-14',
          render: (row) => (
            <div className="flex justify-end">
              <RecurringMenu row={row} acts={acts} />
            </div>
          ),
        },
      }}
      cardClass="flex-col gap-1.5 py-3 pr-2 pl-4"
      renderCard={(row, cells) => (
        <>
          <div className="flex items-baseline justify-between gap-3 pr-2">
            <span className="min-w-0">
              <Customer row={row} />
            </span>
            <span className="shrink-0 font-medium tabular-nums">{cells.total}</span>
          </div>
          <div className="flex items-center justify-between gap-3 pr-2 text-sm">
            <span className="text-ink-2">
              {EVERY_WORDS[row.every]}, {MAKES_WORDS[row.makes]}
            </span>
            {cells.state}
          </div>
          <Fault row={row} />
          <div className="flex items-center justify-between gap-2 text-sm">
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
              {row.state === 'active' ? <Fact name="Next">{cells.next}</Fact> : null}
              <Fact name="Last">{cells.last}</Fact>
              {cells.ends === '–' ? null : (
                <Fact name={row.state === 'ended' ? 'Ended' : 'Ends'}>{cells.ends}</Fact>
              )}
            </dl>
            {cells.actions}
          </div>
        </>
      )}
      empty={empty}
    />
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function Customer({ row: { customer } }: { row: RecurringInvoice }) {
  return (
    <bdi className={cx('block truncate text-left font-medium', customer === '' && 'text-ink-2')}>
      {customerText(customer)}
    </bdi>
  )
}

/** The newest document that it made, as a link. */
function LastMade({ row: { last } }: { row: RecurringInvoice }) {
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
function Fault({ row: { fault, state } }: { row: RecurringInvoice }) {
  if (fault === '') return null
  return (
    <span className="block text-sm wrap-anywhere whitespace-normal text-danger">
      {state === 'paused' ? 'Paused' : 'The last one stayed a draft'}: {fault}
    </span>
  )
}

/** Everything that can be done with a recurring invoice. */
function RecurringMenu({ row, acts }: { row: RecurringInvoice; acts: RecurringActs }) {
  const entry = (label: string, icon: ReactNode, onSelect: () => void) =>
    ({ kind: 'action', label, icon, onSelect }) as const
  const entries: MenuEntry[] = [
    entry('Change', <Pencil aria-hidden />, () => acts.change(row)),
    row.state === 'active'
      ? entry('Pause', <Pause aria-hidden />, () => acts.setState(row, 'paused'))
      : entry(row.state === 'paused' ? 'Resume' : 'Start again', <Play aria-hidden />, () =>
          acts.setState(row, 'active'),
        ),
    ...(row.state === 'ended'
      ? []
      : [{ ...entry('End', <CircleStop aria-hidden />, () => acts.setState(row, 'ended')), danger: true }]),
  ]
  return (
    <Menu
      label={`More actions, ${recurringName(row)}`}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      entries={entries}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
    />
  )
}
