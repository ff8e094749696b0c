import { dateFormat } from './date-formats.ts'

/** The calendar day of an instant in a zone, as `2026-03-29`: days compare as texts. */
export function zonedDay(instant: Date, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return dateFormat('sv-SE', { dateStyle: 'short', timeZone }).format(instant)
}

/** The day before a calendar day. Counted on the calendar, so that days of 23 and 25 hours are days. */
export function dayBefore(day: string): string {
  return dayFrom(day, -1)
}

/** The day after a calendar day. */
export function dayAfter(day: string): string {
  return dayFrom(day, 1)
}

function dayFrom(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() + days)
  return noon.toISOString().slice(0, 10)
}
