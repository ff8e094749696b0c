import { type Meeting, UPCOMING_GRACE_MS } from '#contract/crm/meetings.ts'
import { dayAfter, zonedDay } from '#web/platform/dates/zoned-day.ts'

const MINUTE = 60_000
/** Within this time "in 25 min" says more than the time of day. */
const SOON_MS = 60 * MINUTE

/** True if a meeting is still to come or began so recently that the user may still need the link. */
export function isUpcoming(
  { start_time, status }: Pick<Meeting, 'start_time' | 'status'>,
  now: Date,
): boolean {
  return status !== 'cancelled' && new Date(start_time).getTime() >= now.getTime() - UPCOMING_GRACE_MS
}

/** When a meeting begins, in the user's zone: "Today at 14:00", "Mon, Mar 9 at 14:00". */
export function startText(start: Date, now: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(start)
  return `${dayText(start, now, timeZone)} at ${time}`
}

function dayText(start: Date, now: Date, timeZone: string): string {
  const [day, today] = [zonedDay(start, timeZone), zonedDay(now, timeZone)]
  if (day === today) return 'Today'
  if (day === dayAfter(today)) return 'Tomorrow'
  const thisYear = day.slice(0, 4) === today.slice(0, 4)
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(thisYear ? {} : { year: 'numeric' }),
    timeZone,
  }).format(start)
}

/** "In 25 min" or "Started 3 min ago" near the start; otherwise null. */
export function nearness(start: Date, now: Date): string | null {
  const left = start.getTime() - now.getTime()
  if (left > SOON_MS || left < -UPCOMING_GRACE_MS) return null
  if (left >= MINUTE) return `In ${Math.floor(left / MINUTE)} min`
  return left > -MINUTE ? 'Now' : `Started ${Math.floor(-left / MINUTE)} min ago`
}
