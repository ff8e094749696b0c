import { CalendarDays, CheckSquare, FileText, Mail, MailOpen, Paperclip, Send, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Contact } from '#contract/crm/contacts.ts'
import { money } from '#contract/invoicing/money.ts'
import { timeline, type TimelineEntry } from '#contract/overview/timeline.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateAndTime, fullDate } from '#web/platform/dates/mail-age.ts'
import { InvoiceStatusBadge } from '#web/invoicing/invoices/list/InvoiceStatusBadge.tsx'
import { documentName, invoicePath } from '#web/invoicing/invoices/list/invoice-text.ts'
import { paths } from '#web/platform/paths.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#web/platform/api/call.ts'
import { queryKeyOf, retryOnce } from '#web/platform/api/queries.ts'

/** All mails, meetings, tasks and invoices of a contact, newest first. */
export function Timeline({ contact }: { contact: Contact }) {
  const query = useTimeline(contact.id)
  const { data, isPending, isError, fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const timeZone = useTimeZone()
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const months = Map.groupBy(entries, ({ at }) => monthOf(at, timeZone))
  return (
    <Card title="Timeline">
      {isPending ? (
        <LoadingEntries />
      ) : isError && data === undefined ? (
        <LoadFailed query={query} message="Failed to load the timeline" />
      ) : (
        <>
          {[...months].map(([month, some]) => (
            <section key={month} aria-label={month} className="pt-1 pb-2">
              <h3 className="py-1.5 text-xs font-medium text-ink-2">{month}</h3>
              <ol aria-label={`Timeline, ${month}`}>
                {some.map((entry) => (
                  <Entry key={`${entry.kind}-${entry.id}`} entry={entry} />
                ))}
              </ol>
            </section>
          ))}
          {entries.length === 1 ? (
            <p className="pt-2 pb-3 text-ink-2">
              Emails, meetings and tasks with {contact.name} will show up here.
            </p>
          ) : null}
          {hasNextPage ? (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="mt-1 w-full">
              Show earlier
            </Button>
          ) : null}
        </>
      )}
    </Card>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const timeZone = useTimeZone()
  const at = dateAndTime(new Date(entry.at), timeZone)
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-1">
      <span aria-hidden className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden" />
      <span
        aria-hidden
        className={cx(
          'grid size-7 shrink-0 place-items-center rounded-full [&_svg]:size-3.5',
          lookOf(entry).tone,
        )}
      >
        {lookOf(entry).icon}
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-sm text-ink-2">{kindText(entry)}</span>
          <time dateTime={entry.at} className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
            {at}
          </time>
        </p>
        <Body entry={entry} timeZone={timeZone} />
      </div>
    </li>
  )
}

type BodyProps = { entry: TimelineEntry; timeZone: string }

function Body({ entry, timeZone }: BodyProps): ReactNode {
  if (entry.kind === 'email') {
    const query = new URLSearchParams({ folder: entry.folder, email: String(entry.id) })
    const folder = folderText(entry)
    return (
      <>
        <p className="flex items-center gap-2">
          <Link
            to={`${paths.emails}?${query.toString()}`}
            className={cx(
              'min-w-0 truncate rounded-sm hover:text-accent hover:underline',
              entry.is_read ? 'font-medium' : 'font-semibold',
            )}
          >
            {entry.subject || 'No subject'}
          </Link>
          {entry.has_files ? (
            <Paperclip aria-label="Has attachments" className="size-3.5 shrink-0 text-ink-2" />
          ) : null}
          {folder === null ? null : <Badge>{folder}</Badge>}
          {entry.delivery?.state === 'failed' ? <Badge tone="red">Failed</Badge> : null}
        </p>
        <p className="line-clamp-2 wrap-anywhere text-ink-2">{entry.content}</p>
      </>
    )
  }
  if (entry.kind === 'meeting') {
    const end = dateAndTime(new Date(entry.end_time), timeZone)
    return (
      <>
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to={`${paths.meetings}?open=${entry.id}`}
            className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent hover:underline"
          >
            {entry.title}
          </Link>
          {entry.status === 'scheduled' ? null : <Badge>{statusWord(entry.status)}</Badge>}
        </p>
        <p className="text-ink-2">{[`until ${end}`, entry.location].filter(Boolean).join(' · ')}</p>
      </>
    )
  }
  if (entry.kind === 'todo') {
    const due =
      entry.due_date === null ? null : `Due ${fullDate(new Date(`${entry.due_date}T00:00:00Z`), 'UTC')}`
    return (
      <>
        <p className={cx('font-medium wrap-anywhere', entry.completed && 'text-ink-2 line-through')}>
          {entry.title}
        </p>
        <p className="text-ink-2">
          {[`${statusWord(entry.priority)} priority`, due].filter(Boolean).join(' · ')}
        </p>
      </>
    )
  }
  if (entry.kind === 'invoice') {
    return (
      <>
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to={invoicePath(entry.id)}
            className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent hover:underline"
          >
            {documentName({ kind: entry.document, number: entry.number })}
          </Link>
          <InvoiceStatusBadge document={{ kind: entry.document, status: entry.status }} />
        </p>
        <p className="text-ink-2 tabular-nums">
          {[
            money(entry.total, entry.currency),
            entry.due > 0 && entry.due < entry.total ? `${money(entry.due, entry.currency)} left to pay` : '',
            entry.accepted_by === '' ? '' : `accepted by ${entry.accepted_by}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </>
    )
  }
  return null
}

function lookOf(entry: TimelineEntry): { icon: ReactNode; tone: string } {
  if (entry.kind === 'meeting') return { icon: <CalendarDays />, tone: 'bg-green-soft text-green' }
  if (entry.kind === 'todo') return { icon: <CheckSquare />, tone: 'bg-amber-soft text-amber' }
  if (entry.kind === 'invoice') return { icon: <FileText />, tone: 'bg-accent-soft text-accent' }
  if (entry.kind === 'added') return { icon: <UserPlus />, tone: 'bg-gray-soft text-gray' }
  if (entry.direction === 'out') return { icon: <Send />, tone: 'bg-gray-soft text-gray' }
  return { icon: entry.is_read ? <MailOpen /> : <Mail />, tone: 'bg-blue-soft text-blue' }
}

function LoadingEntries() {
  return (
    <div aria-busy className="flex flex-col gap-5 pt-2">
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="flex gap-3">
          <Skeleton className="size-7 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3 w-1/4" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** The kind of an entry, for users who do not see its icon. */
function kindText(entry: TimelineEntry): string {
  if (entry.kind === 'email') return entry.direction === 'in' ? 'Email received' : emailOut(entry)
  if (entry.kind === 'meeting') return `Meeting, ${MEETING_TYPES[entry.type]}`
  if (entry.kind === 'todo') return entry.completed ? 'Task, completed' : 'Task'
  if (entry.kind === 'invoice') return KIND_WORDS[entry.document].name
  return 'Added to contacts'
}

const MEETING_TYPES = { 'in-person': 'in person', video: 'video', phone: 'phone' } as const

function emailOut({ folder, delivery }: Extract<TimelineEntry, { kind: 'email' }>): string {
  if (folder === 'drafts') return 'Draft'
  if (folder === 'scheduled') return 'Email scheduled'
  const state = delivery?.state ?? 'sent'
  return state === 'sent' ? 'Email sent' : `Email ${statusWord(state).toLowerCase()}`
}

/** The folder of a mail if it is not the expected one. */
function folderText({ folder }: Extract<TimelineEntry, { kind: 'email' }>): string | null {
  return folder === 'archived' || folder === 'spam' || folder === 'trash' ? statusWord(folder) : null
}

/** The month heading of an entry: "May 2026", in the user's zone. */
function monthOf(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone }).format(new Date(at))
}

/** A contact's timeline, page by page; live events refetch the pages loaded so far. */
function useTimeline(id: number) {
  const params = { id }
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(timeline.ofContact, 'page', { params }), 'all'],
    queryFn: ({ pageParam, signal }) =>
      call(timeline.ofContact, { params, query: pageParam === null ? {} : { after: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    retry: retryOnce,
  })
}
