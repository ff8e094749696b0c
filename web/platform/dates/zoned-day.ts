import { dateFormat } from './date-formats.ts'

/** The calendar day of an instant in a zone, as `2026-03-29`. Such days compare as strings. */
export function zonedDay(instant: Date, timeZone: string): string {
  // Sweden's date format is ISO 8601.
  return dateFormat('sv-SE', { dateStyle: 'short', timeZone }).format(instant)
}

/** The day before a calendar day. Computed on the calendar, so that days of 23 and 25 hours do not matter. */
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
