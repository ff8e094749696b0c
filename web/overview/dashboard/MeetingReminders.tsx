import { useState } from 'react'
import { Link } from 'react-router'
import { type Meeting, type MeetingFilter, meetings } from '#contract/crm/meetings.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { paths } from '#web/platform/paths.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { isUpcoming, nearness, startText } from './meeting-times.ts'
import { Panel } from './Panel.tsx'

const SHOWN = 100
const EVERY_MS = 60_000

const filters: readonly { value: MeetingFilter; label: string }[] = [
  { value: 'all', label: 'All Meetings' },
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'today', label: 'Today' },
  { value: 'tomorrow', label: 'Tomorrow' },
  { value: 'this_week', label: 'This Week' },
]

/** The upcoming meetings, the next one first. */
export function MeetingReminders({ now }: { now: Date }) {
  const timeZone = useTimeZone()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<MeetingFilter>('upcoming')
  const { data, error, refetch } = usePage(meetings.list, {
    query: { search: useSettled(search), filter, time_zone: timeZone, limit: SHOWN },
    refetchInterval: EVERY_MS,
  })
  // Time passes between two answers.
  const rows = data?.rows
    .filter((meeting) => filter !== 'upcoming' || isUpcoming(meeting, now))
    .toSorted((a, b) => a.start_time.localeCompare(b.start_time))
  return (
    <Panel
      title="Meeting Reminders"
      noun="meetings"
      search={search}
      onSearch={setSearch}
      filter={filter}
      onFilter={setFilter}
      filters={filters}
      unfiltered="upcoming"
      onRefresh={refetch}
      state={
        error !== null ? 'failed' : rows === undefined ? 'loading' : rows.length === 0 ? 'empty' : 'filled'
      }
      loading="Loading meetings..."
      empty="No upcoming meetings."
      hint="Meetings you schedule or agree to in a reply will show up here."
    >
      {rows?.map((meeting) => (
        <MeetingRow key={meeting.id} meeting={meeting} now={now} timeZone={timeZone} />
      ))}
    </Panel>
  )
}

const TYPE_LABELS: Partial<Record<string, string>> = {
  'in-person': 'In-person',
  video: 'Video',
  phone: 'Phone',
}

function MeetingRow({ meeting, now, timeZone }: { meeting: Meeting; now: Date; timeZone: string }) {
  const { id, title, start_time, location, type, status } = meeting
  const start = new Date(start_time)
  const off = status === 'cancelled'
  const near = status === 'scheduled' ? nearness(start, now) : null
  return (
    <li>
      <Link
        to={`${paths.meetings}?open=${id}`}
        className="flex min-h-15 items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1">
          <span className={cx('block truncate font-medium', off && 'text-ink-2 line-through')}>{title}</span>
          <span className="flex gap-x-2 text-sm text-ink-2">
            <time dateTime={start_time} className="shrink-0 tabular-nums">
              {startText(start, now, timeZone)}
            </time>
            <span aria-hidden>·</span>
            <span className="min-w-0 truncate">{location || TYPE_LABELS[type] || 'Meeting'}</span>
          </span>
        </span>
        {near === null ? null : <Badge tone="green">{near}</Badge>}
        {off ? <Badge>Cancelled</Badge> : null}
        {status === 'completed' ? <Badge>Completed</Badge> : null}
      </Link>
    </li>
  )
}
