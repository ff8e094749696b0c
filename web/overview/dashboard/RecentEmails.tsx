import { Star } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Email, emails, type Intent } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { paths } from '#web/platform/paths.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'
import { mailAge } from '#web/platform/dates/mail-age.ts'
import { Panel } from './Panel.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { usePage } from '#web/platform/api/queries.ts'

const filters: readonly { value: EmailFilter; label: string }[] = [
  { value: 'all', label: 'All emails' },
  { value: 'sent', label: 'Sent' },
  { value: 'received', label: 'Received' },
  { value: 'starred', label: 'Starred' },
  { value: 'unread', label: 'Unread' },
]

/** The newest mails, received and sent. */
export function RecentEmails({ now }: { now: Date }) {
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<EmailFilter>('all')
  const { rows, failed, loading, refetch } = useRecentEmails(useSettled(search), filter)
  return (
    <Panel
      title="Recent Emails"
      noun="emails"
      search={search}
      onSearch={setSearch}
      filter={filter}
      onFilter={setFilter}
      filters={filters}
      onRefresh={refetch}
      state={failed ? 'failed' : loading ? 'loading' : rows.length === 0 ? 'empty' : 'filled'}
      hint="Emails you send and receive will show up here."
    >
      {rows.map((email) => (
        <EmailRow key={email.id} email={email} now={now} />
      ))}
    </Panel>
  )
}

function EmailRow({ email, now }: { email: Email; now: Date }) {
  const timeZone = useTimeZone()
  const isIncoming = email.delivery === null && email.status === 'received'
  const person = isIncoming ? email.sender : email.to_names || email.to
  const unread = isIncoming && !email.isRead
  const query = new URLSearchParams({ folder: isIncoming ? 'inbox' : 'sent', email: String(email.id) })
  return (
    <li>
      <Link
        to={`${paths.emails}?${query.toString()}`}
        className="flex min-h-15 items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <Avatar name={person} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cx('min-w-0 flex-1 truncate', unread ? 'font-semibold' : 'font-medium')}>
              {isIncoming ? null : <span className="font-normal text-ink-2">To </span>}
              {person}
              {unread ? <span className="sr-only"> (unread)</span> : null}
            </span>
            {email.isStarred ? (
              <Star aria-label="Starred" className="size-3.5 shrink-0 self-center fill-amber text-amber" />
            ) : null}
            <time dateTime={email.timestamp} className="shrink-0 text-sm text-ink-2 tabular-nums">
              {mailAge(new Date(email.timestamp), now, timeZone)}
            </time>
          </span>
          <span className="flex items-center gap-2">
            <span className={cx('min-w-0 flex-1 truncate text-sm', unread ? 'text-ink' : 'text-ink-2')}>
              {email.subject || 'No subject'}
            </span>
            <Mark email={email} />
          </span>
        </span>
      </Link>
    </li>
  )
}

const INTENT_TONES: Partial<Record<Intent, BadgeTone>> = {
  interested: 'green',
  meeting_request: 'green',
  question: 'blue',
}

/** The badge of a mail: the intent of a reply, or why a mail was not delivered. */
function Mark({ email: { intent, delivery } }: { email: Email }) {
  if (intent !== null && intent !== 'other') {
    return <Badge tone={INTENT_TONES[intent] ?? 'gray'}>{statusWord(intent)}</Badge>
  }
  if (delivery === null || delivery.state === 'sent') return null
  const isProblem = delivery.state === 'failed' || delivery.state === 'unsure'
  return <Badge tone={isProblem ? 'red' : 'amber'}>{statusWord(delivery.state)}</Badge>
}

type EmailFilter = 'all' | 'sent' | 'received' | 'starred' | 'unread'

const SHOWN = 20

/** The folders of each filter; "recent" means both inbox and sent. */
const FOLDERS: Record<EmailFilter, { inbox: boolean; sent: boolean }> = {
  all: { inbox: true, sent: true },
  sent: { inbox: false, sent: true },
  received: { inbox: true, sent: false },
  starred: { inbox: true, sent: true },
  unread: { inbox: true, sent: false },
}

/** The newest mails, received and sent. A call lists one folder, so two are made and merged. */
function useRecentEmails(search: string, filter: EmailFilter) {
  const wanted = FOLDERS[filter]
  const query = {
    search,
    page_size: SHOWN,
    ...(filter === 'starred' || filter === 'unread' ? { filter } : {}),
  }
  const inbox = usePage(emails.list, { query: { ...query, folder: 'inbox' }, enabled: wanted.inbox })
  const sent = usePage(emails.list, { query: { ...query, folder: 'sent' }, enabled: wanted.sent })
  const asked = [...(wanted.inbox ? [inbox] : []), ...(wanted.sent ? [sent] : [])]
  const rows: Email[] = asked.flatMap(({ data }) => data?.rows ?? [])
  return {
    rows: rows.toSorted((a, b) => b.timestamp.localeCompare(a.timestamp)).slice(0, SHOWN),
    failed: asked.some(({ error }) => error !== null),
    loading: asked.some(({ data }) => data === undefined),
    refetch: () => Promise.all(asked.map((page) => page.refetch())),
  }
}
