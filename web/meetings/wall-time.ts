import { isUsualYear } from '#contract/meetings.ts'
import { dateFormat } from '#web/dates/date-formats.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** What the clocks of a zone show, as a `datetime-local` field writes it: `2026-03-29T14:30`. */
export function wallTime(instant: Date, timeZone: string): string {
  const format = dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  return format.format(instant).replace(' ', 'T')
}

/**
 * The instant at which the clocks of a zone show this time; null for what is no time, or none of these centuries. Where they show it twice, the
 * first; where they jump over it, as much later as they jump (Temporal calls that "compatible").
 */
export function instantAt(wall: string, timeZone: string): Date | null {
  // Browsers guess a date from almost any text, and no zone is sure of the year 2 that is on its way to 2027.
  const isTime = WALL_TIME.test(wall) && isUsualYear(Number(wall.slice(0, 4)))
  const shown = isTime ? Date.parse(`${wall.slice(0, 16)}:00Z`) : Number.NaN
  if (Number.isNaN(shown)) return null
  // No zone changes its clocks twice in two days.
  const before = offsetAt(shown - DAY_MS, timeZone)
  const after = offsetAt(shown + DAY_MS, timeZone)
  const first = new Date(shown - Math.max(before, after))
  if (wallTime(first, timeZone) === wall.slice(0, 16)) return first
  const second = new Date(shown - Math.min(before, after))
  if (wallTime(second, timeZone) === wall.slice(0, 16)) return second
  return new Date(shown - before)
}

/** Milliseconds that the zone's clocks are ahead of UTC at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const there = Date.parse(`${wallTime(new Date(instant), timeZone)}:00Z`)
  return there - Math.floor(instant / MINUTE_MS) * MINUTE_MS
}

/** True where clocks jump over this time, so that it is shown on none. */
export function isSkipped(wall: string, timeZone: string): boolean {
  const at = instantAt(wall, timeZone)
  return at !== null && wallTime(at, timeZone) !== wall.slice(0, 16)
}

/** When a day of the zone begins. */
export function startOfDay(day: string, timeZone: string): Date {
  return instantAt(`${day}T00:00`, timeZone) ?? new Date(`${day}T00:00:00Z`)
}
