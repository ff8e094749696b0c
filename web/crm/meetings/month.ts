import { wallTime } from './wall-time.ts'

/** Every month is shown in this many weeks, so that the page keeps its height. */
const WEEKS = 6
const DAYS_A_WEEK = 7
const DAY_MS = 86_400_000

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** The calendar day, such as `2026-03-29`, that is this many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The same day this many months later; the 31st becomes the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDay))).toISOString().slice(0, 10)
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** `2026-03` for `2026-03-29`. */
export const monthOf = (day: string) => day.slice(0, 7)

/** The 42 days that show a month (`2026-03`): six weeks, each starting on a Sunday. */
export function weeksOf(month: string): string[][] {
  const first = addDays(`${month}-01`, -weekdayOf(`${month}-01`))
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: DAYS_A_WEEK }, (__, at) => addDays(first, week * DAYS_A_WEEK + at)),
  )
}

/** The day that a key moves to; null for other keys. */
export function dayAfterKey(day: string, key: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -DAYS_A_WEEK)
    case 'ArrowDown':
      return addDays(day, DAYS_A_WEEK)
    case 'Home':
      return addDays(day, -weekdayOf(day))
    case 'End':
      return addDays(day, DAYS_A_WEEK - 1 - weekdayOf(day))
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    default:
      return null
  }
}

type Span = { start_time: string; end_time: string }

/**
 * The meetings of each shown day in the zone, in the given order. A meeting that lasts past midnight is on each day it
 * touches; one that ends at midnight does not touch the next day.
 */
export function meetingsByDay<Meeting extends Span>(
  meetings: readonly Meeting[],
  weeks: readonly (readonly string[])[],
  timeZone: string,
): ReadonlyMap<string, Meeting[]> {
  const first = weeks[0]?.[0] ?? ''
  const last = weeks.at(-1)?.at(-1) ?? ''
  const byDay = new Map<string, Meeting[]>()
  for (const meeting of meetings) {
    const start = wallTime(new Date(meeting.start_time), timeZone).slice(0, 10)
    const end = wallTime(new Date(Date.parse(meeting.end_time) - 1), timeZone).slice(0, 10)
    const until = end < last ? end : last
    for (let day = start > first ? start : first; day <= until; day = addDays(day, 1))
      byDay.set(day, [...(byDay.get(day) ?? []), meeting])
  }
  return byDay
}
