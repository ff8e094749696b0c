import { isUsualYear } from '#contract/crm/meetings.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** The clock time of an instant in a zone, in the format of a `datetime-local` field: `2026-03-29T14:30`. */
export function wallTime(instant: Date, timeZone: string): string {
  const format = dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  return format.format(instant).replace(' ', 'T')
}

/**
 * The instant at which the zone's clocks show this time; null if the time is invalid or its year implausible. If they
 * show it twice, the first instant; if they skip it, it is moved on by the length of the gap (Temporal's "compatible").
 */
export function instantAt(wall: string, timeZone: string): Date | null {
  // Browsers guess a date from almost any text, and the year 2 may be the beginning of 2027.
  const isTime = WALL_TIME.test(wall) && isUsualYear(Number(wall.slice(0, 4)))
  const shown = isTime ? Date.parse(`${wall.slice(0, 16)}:00Z`) : Number.NaN
  if (Number.isNaN(shown)) return null
  // No zone changes its clocks twice within two days.
  const before = offsetAt(shown - DAY_MS, timeZone)
  const after = offsetAt(shown + DAY_MS, timeZone)
  const first = new Date(shown - Math.max(before, after))
  if (wallTime(first, timeZone) === wall.slice(0, 16)) return first
  const second = new Date(shown - Math.min(before, after))
  if (wallTime(second, timeZone) === wall.slice(0, 16)) return second
  return new Date(shown - before)
}

/** How many milliseconds the zone is ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const there = Date.parse(`${wallTime(new Date(instant), timeZone)}:00Z`)
  return there - Math.floor(instant / MINUTE_MS) * MINUTE_MS
}

/** True if the clocks skip this time, so that it never occurs. */
export function isSkipped(wall: string, timeZone: string): boolean {
  const at = instantAt(wall, timeZone)
  return at !== null && wallTime(at, timeZone) !== wall.slice(0, 16)
}

/** The instant at which a day of the zone begins. */
export function startOfDay(day: string, timeZone: string): Date {
  return instantAt(`${day}T00:00`, timeZone) ?? new Date(`${day}T00:00:00Z`)
}
