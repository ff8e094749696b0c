import { Temporal } from 'temporal-polyfill'
import { type MeetingFilter, type MeetingStatus, UPCOMING_GRACE_MS } from '#contract/crm/meetings.ts'

/** Instants from `from` (included) to `before` (excluded); null where that side is open. */
export type TimeSpan = { from: Date | null; before: Date | null }

/** The range in which meetings of this filter start, by the time zone's calendar; weeks start on Sunday. */
export function startsWithin(filter: MeetingFilter, now: Date, timeZone: string): TimeSpan {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  const days = (first: number, count: number): TimeSpan => ({
    from: beginning(today.add({ days: first }), timeZone),
    before: beginning(today.add({ days: first + count }), timeZone),
  })
  switch (filter) {
    case 'upcoming':
      return { from: new Date(now.getTime() - UPCOMING_GRACE_MS), before: null }
    case 'today':
      return days(0, 1)
    case 'tomorrow':
      return days(1, 1)
    case 'this_week':
      return days(-(today.dayOfWeek % 7), 7)
    default:
      return { from: null, before: null }
  }
}

// Where clocks change at midnight a day begins at one o'clock.
function beginning(day: Temporal.PlainDate, timeZone: string): Date {
  return new Date(day.toZonedDateTime({ timeZone }).epochMilliseconds)
}

/** When a meeting's reminder is due; null if none is wanted or its time has passed. */
export function reminderTime(
  meeting: { start_time: Date; status: MeetingStatus; reminder_minutes: number | null },
  now: Date,
): Date | null {
  if (meeting.reminder_minutes === null || meeting.status !== 'scheduled') return null
  const at = new Date(meeting.start_time.getTime() - meeting.reminder_minutes * 60_000)
  return at > now ? at : null
}
