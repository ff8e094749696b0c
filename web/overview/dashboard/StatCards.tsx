import { CalendarDays, MessageCircleReply, Send, Users } from 'lucide-react'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { useEndpoint, usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { startText } from './meeting-times.ts'

const MEETINGS_EVERY_MS = 60_000

/** Nobody starts more meetings than this within five minutes. */
const LATELY_BEGUN_MAX = 50

/** Shown in place of a figure that could not be loaded. */
const UNKNOWN = '–'
/** Keeps the place of a note that may come, so that the panels below do not move. */
const NOTE_TO_COME = '\u00A0'

/** The four headline figures, kept up to date by live events. */
export function StatCards({ now }: { now: Date }) {
  const people = usePage(contacts.list, { query: { page_size: 1 } })
  const counts = useEndpoint(emails.counts)
  const rate = useEndpoint(emails.responseRate)
  const figure = (count: number | undefined) => count?.toLocaleString('en') ?? UNKNOWN
  return (
    <section aria-label="Key figures" className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      <StatCard
        label="Total Contacts"
        icon={<Users aria-hidden className="max-sm:hidden" />}
        value={figure(people.data?.total)}
        loading={people.isPending}
      />
      <StatCard
        label="Emails Sent"
        icon={<Send aria-hidden className="max-sm:hidden" />}
        value={figure(counts.data?.delivered)}
        loading={counts.isPending}
      />
      <UpcomingMeetings now={now} />
      <StatCard
        label="Response Rate"
        icon={<MessageCircleReply aria-hidden className="max-sm:hidden" />}
        value={rate.data?.responseRate ?? '0%'}
        loading={rate.isPending}
        note={rate.isPending ? NOTE_TO_COME : rateNote(rate.data)}
      />
    </section>
  )
}

function rateNote(rate: { replied: number; mailed: number } | undefined): string | null {
  if (rate === undefined || rate.mailed === 0) return null
  return `${rate.replied.toLocaleString('en')} of ${rate.mailed.toLocaleString('en')} replied`
}

function UpcomingMeetings({ now }: { now: Date }) {
  const timeZone = useTimeZone()
  const { data, isPending } = usePage(meetings.list, {
    query: { filter: 'upcoming', status: 'scheduled', page_size: LATELY_BEGUN_MAX },
    refetchInterval: MEETINGS_EVERY_MS,
  })
  // The list also contains meetings that began a few minutes ago; they come first.
  const begun = data?.rows.filter(({ start_time }) => new Date(start_time) <= now).length ?? 0
  const next = data?.rows[begun]
  return (
    <StatCard
      label="Upcoming Meetings"
      icon={<CalendarDays aria-hidden className="max-sm:hidden" />}
      value={data === undefined ? UNKNOWN : Math.max(0, data.total - begun).toLocaleString('en')}
      loading={isPending}
      note={
        isPending
          ? NOTE_TO_COME
          : next === undefined
            ? null
            : `Next: ${startText(new Date(next.start_time), now, timeZone)}`
      }
    />
  )
}
