import { dateFormat } from './date-formats.ts'
import { dayBefore, zonedDay } from './zoned-day.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Within this time "2 hours ago" says more than the time of day. */
const COUNTED_HOURS = 6 * HOUR

/** The time of a mail in a list: relative for a day, then the full date, in the user's zone. */
export function mailAge(then: Date, now: Date, timeZone: string): string {
  const passed = now.getTime() - then.getTime()
  // Clocks differ a little: a mail "from the future" has just arrived.
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`
  return fullDate(then, timeZone)
}

/** The time of a mail as part of a sentence: "Today at 09:05", "Tuesday at 18:30", "Mar 9, 2026". */
export function ageLabel(then: Date, now: Date, timeZone: string): string {
  const passed = now.getTime() - then.getTime()
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return counted(passed / MINUTE, 'minute')
  if (passed < COUNTED_HOURS) return counted(passed / HOUR, 'hour')
  const time = clockTime(then, timeZone)
  const day = zonedDay(then, timeZone)
  const today = zonedDay(now, timeZone)
  if (day === today) return `Today at ${time}`
  if (day === dayBefore(today)) return `Yesterday at ${time}`
  if (passed < 7 * DAY) {
    return `${dateFormat('en', { weekday: 'long', timeZone }).format(then)} at ${time}`
  }
  return fullDate(then, timeZone)
}

export type AgeClass = 'very-recent' | 'recent' | 'this-week' | 'this-month' | 'old'

/** The age of a mail in five steps: an hour, a day, a week, 30 days, older. */
export function ageClass(then: Date, now: Date): AgeClass {
  const passed = now.getTime() - then.getTime()
  if (passed < HOUR) return 'very-recent'
  if (passed < DAY) return 'recent'
  if (passed < 7 * DAY) return 'this-week'
  return passed < 30 * DAY ? 'this-month' : 'old'
}

/** "Mar 9, 2026". */
export function fullDate(then: Date, timeZone: string): string {
  return dateFormat('en', { dateStyle: 'medium', timeZone }).format(then)
}

/** "Monday, March 9, 2026 at 18:30". */
export function fullTime(then: Date, timeZone: string): string {
  const day = dateFormat('en', { dateStyle: 'full', timeZone }).format(then)
  return `${day} at ${clockTime(then, timeZone)}`
}

/** "Monday, March 9, 2026 at 18:30 to 19:00"; with the second day if it ends on another one. */
export function timeSpan(from: Date, until: Date, timeZone: string): string {
  const isOneDay = zonedDay(from, timeZone) === zonedDay(until, timeZone)
  return `${fullTime(from, timeZone)} to ${isOneDay ? clockTime(until, timeZone) : fullTime(until, timeZone)}`
}

/** "Mar 9, 2026, 18:30". */
export function dateAndTime(then: Date, timeZone: string): string {
  return `${fullDate(then, timeZone)}, ${clockTime(then, timeZone)}`
}

/** "18:30". */
export function clockTime(then: Date, timeZone: string): string {
  return dateFormat('en-GB', { timeStyle: 'short', timeZone }).format(then)
}

function counted(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}
