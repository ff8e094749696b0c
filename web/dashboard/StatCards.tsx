import { CalendarDays, MessageCircleReply, Send, Users } from 'lucide-react'
import { contacts } from '#contract/contacts.ts'
import { emails } from '#contract/emails.ts'
import { meetings } from '#contract/meetings.ts'
import { useEndpoint, usePage } from '#web/api/queries.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { StatCard } from '#web/ui/StatCard.tsx'

const MEETINGS_EVERY_MS = 60_000

/** What stands where a figure could not be had. */
const UNKNOWN = '–'

/** The four headline figures; live events keep them true. */
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
        note={rate.data === undefined || rate.data.mailed === 0 ? null : rateNote(rate.data)}
      />
    </section>
  )
}

function rateNote({ replied, mailed }: { replied: number; mailed: number }): string {
  return `${replied.toLocaleString('en')} of ${mailed.toLocaleString('en')} replied`
}

function UpcomingMeetings({ now }: { now: Date }) {
  const timeZone = useTimeZone()
  const { data, isPending } = useEndpoint(meetings.list, { refetchInterval: MEETINGS_EVERY_MS })
  const upcoming = data?.filter(({ start_time }) => new Date(start_time) > now)
  const next = upcoming?.[0]
  const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return (
    <StatCard
      label="Upcoming Meetings"
      icon={<CalendarDays aria-hidden className="max-sm:hidden" />}
      value={upcoming?.length.toLocaleString('en') ?? UNKNOWN}
      loading={isPending}
      note={next === undefined ? null : `Next: ${when.format(new Date(next.start_time))}`}
    />
  )
}
