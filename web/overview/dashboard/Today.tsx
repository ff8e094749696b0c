import { CalendarDays, FileText, ListTodo, MessageCircleReply } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import { dashboard, type Today as Waiting } from '#contract/overview/dashboard.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { counted } from '#web/outreach/runs/run-text.ts'
import { paths } from '#web/platform/paths.ts'
import { cx } from '#web/platform/ui/cx.ts'

/** Refetched this often without any event, because the day changes. */
const EVERY_MS = 60_000

/** What needs the user's attention today, with links; nothing if there is nothing to do. */
export function Today({ onTasks }: { onTasks: () => void }) {
  const heading = useId()
  const time_zone = useTimeZone()
  const { data, isPending } = useEndpoint(dashboard.today, {
    query: { time_zone },
    refetchInterval: EVERY_MS,
  })
  if (isPending) return <Placeholder />
  if (data === undefined) return null
  const tasks = taskText(data)
  const { meetings_to_come: meetings, unread_replies: replies } = data
  const invoices = invoiceText(data)
  if (tasks === null && invoices === null && meetings === 0 && replies === 0) return null
  return (
    <section aria-labelledby={heading} className={cx(rowClass, 'border-line bg-surface')}>
      <h2 id={heading} className="text-md font-semibold">
        Today
      </h2>
      <ul className="-mx-2 flex flex-wrap gap-x-2 max-sm:w-[calc(100%+1rem)]">
        {replies === 0 ? null : (
          <Item icon={<MessageCircleReply aria-hidden />}>
            <Link to={`${paths.emails}?folder=inbox&filter=unread`} className={itemClass}>
              {replies === 1 ? '1 unread reply' : `${replies.toLocaleString('en')} unread replies`}
            </Link>
          </Item>
        )}
        {tasks === null ? null : (
          <Item icon={<ListTodo aria-hidden />} urgent={data.overdue_tasks > 0}>
            <button type="button" onClick={onTasks} className={itemClass}>
              {tasks}
            </button>
          </Item>
        )}
        {invoices === null ? null : (
          <Item icon={<FileText aria-hidden />} urgent>
            <Link to={`${paths.invoiceList}?status=overdue`} className={cx(itemClass, 'tabular-nums')}>
              {invoices}
            </Link>
          </Item>
        )}
        {meetings === 0 ? null : (
          <Item icon={<CalendarDays aria-hidden />}>
            <Link to={paths.meetings} className={itemClass}>
              {counted(meetings, 'meeting')} to come
            </Link>
          </Item>
        )}
      </ul>
    </section>
  )
}

/** Keeps the place of one line, so that the panels below do not move when it comes. */
function Placeholder() {
  return (
    <div aria-hidden className={cx(rowClass, 'border-transparent')}>
      <span className={itemClass}>&nbsp;</span>
    </div>
  )
}

const rowClass = 'flex flex-wrap items-center gap-x-4 rounded-lg border px-4 py-2'

const itemClass =
  'rounded-md px-2 py-1.5 font-medium transition-colors group-hover:bg-sunken pointer-coarse:py-2.5 text-left'

/** "3 overdue tasks, 1 due today"; null if there are none. */
function taskText({ overdue_tasks: overdue, tasks_today: due }: Waiting): string | null {
  if (overdue === 0) return due === 0 ? null : `${counted(due, 'task')} due today`
  return `${counted(overdue, 'overdue task')}${due === 0 ? '' : `, ${due.toLocaleString('en')} due today`}`
}

/** "2 overdue invoices, €1,240.00"; null if there are none. */
function invoiceText({ overdue_invoices: overdue, overdue_amounts: amounts }: Waiting): string | null {
  if (overdue === 0) return null
  return [
    counted(overdue, 'overdue invoice'),
    ...amounts.map(({ amount, currency }) => money(amount, currency)),
  ].join(', ')
}

function Item({
  icon,
  urgent = false,
  children,
}: {
  icon: ReactNode
  urgent?: boolean
  children: ReactNode
}) {
  return (
    <li className="group flex items-center pl-2 max-sm:w-full">
      <span className={urgent ? 'text-danger [&_svg]:size-4' : 'text-ink-2 [&_svg]:size-4'}>{icon}</span>
      {children}
    </li>
  )
}
