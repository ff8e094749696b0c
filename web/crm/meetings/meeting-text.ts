import type { Meeting, MeetingFilter, MeetingStatus, MeetingType } from '#contract/crm/meetings.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { clockTime } from '#web/platform/dates/mail-age.ts'
import { wallTime } from './wall-time.ts'

export const TYPE_LABELS: Record<MeetingType, string> = {
  'in-person': 'In-person',
  video: 'Video',
  phone: 'Phone',
}
export const STATUS_LABELS: Record<MeetingStatus, string> = {
  scheduled: 'Scheduled',
  completed: 'Completed',
  cancelled: 'Cancelled',
}
export const FILTER_LABELS: Record<MeetingFilter, string> = {
  all: 'All Meetings',
  upcoming: 'Upcoming',
  today: 'Today',
  tomorrow: 'Tomorrow',
  this_week: 'This Week',
}
export const REMINDER_LABELS: Record<string, string> = {
  '': 'No reminder',
  5: '5 minutes before',
  15: '15 minutes before',
  60: '1 hour before',
  1440: '1 day before',
}

/** "March 2026" for `2026-03`. */
export function monthText(month: string): string {
  return dateFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}

/** "Monday, March 9, 2026" for `2026-03-09`. */
export function dayText(day: string): string {
  return dateFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

type Span = Pick<Meeting, 'start_time' | 'end_time'>

/** "Mon, Mar 9, 2026". */
export function dateText({ start_time: start }: Span, timeZone: string): string {
  return dateFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone,
  }).format(new Date(start))
}

/** "09:00 – 10:00"; with the day if it ends on another one. */
export function timeText({ start_time, end_time }: Span, timeZone: string): string {
  const [start, end] = [new Date(start_time), new Date(end_time)]
  const isOneDay = wallTime(start, timeZone).slice(0, 10) === wallTime(end, timeZone).slice(0, 10)
  const day = dateFormat('en', { month: 'short', day: 'numeric', timeZone }).format(end)
  return `${clockTime(start, timeZone)} – ${isOneDay ? '' : `${day}, `}${clockTime(end, timeZone)}`
}

/** "1 attendee", "12 attendees". */
export function attendeeText(count: number): string {
  return `${count} ${count === 1 ? 'attendee' : 'attendees'}`
}

/** The readable form of a link: its host, or what a map link searches for. */
export function linkText(link: string): string {
  try {
    const url = new URL(link)
    const wanted = url.searchParams.get('query') ?? url.searchParams.get('q')
    const host = url.hostname.replace(/^www\./, '')
    return wanted === null ? host : `${wanted} (map)`
  } catch {
    return link
  }
}
