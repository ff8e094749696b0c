import { CalendarDays } from 'lucide-react'
import type { Invitation } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { fullTime, timeSpan } from '#web/platform/dates/mail-age.ts'

const WHAT: Record<Invitation['method'], string> = {
  request: 'Invitation',
  cancel: 'Cancelled meeting',
  reply: 'Reply to an invitation',
  counter: 'New time proposed',
  publish: 'Event',
  other: 'Event',
}

/** The meeting in a mail's calendar part, in the user's zone. It is not added to any calendar. */
export function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { method, title, location, organizer, attendees, recurs } = invitation
  const when = useWhen(invitation)
  return (
    <section
      aria-label={WHAT[method]}
      className="mx-4 mt-4 flex gap-3 rounded-lg border border-line p-4 lg:mx-6"
    >
      <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="text-sm text-ink-2">
          {WHAT[method]}
          {recurs ? ', repeated' : ''}
        </p>
        <h3
          className={
            method === 'cancel' ? 'font-semibold wrap-anywhere line-through' : 'font-semibold wrap-anywhere'
          }
        >
          {title || 'No title'}
        </h3>
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
          <Row name="When" value={when} />
          <Row name="Where" value={location} />
          <Row name="From" value={organizer} />
          <Row name="With" value={attendees.join(', ')} />
        </dl>
      </div>
    </section>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  if (value === '') return null
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </>
  )
}

function useWhen({ starts_at: start, ends_at: end, all_day: allDay }: Invitation): string {
  const timeZone = useTimeZone()
  if (start === null) return ''
  if (allDay) {
    return dateFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(start))
  }
  const from = new Date(start)
  return end === null ? fullTime(from, timeZone) : timeSpan(from, new Date(end), timeZone)
}
