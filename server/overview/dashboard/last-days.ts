import { Temporal } from 'temporal-polyfill'

/** Consecutive calendar days of a time zone: `days[i]` runs from `bounds[i]` to before `bounds[i + 1]`. */
export type Days = { days: string[]; bounds: Date[] }

/** The last `count` days of a time zone, ending with today. Days may have 23 or 25 hours. */
export function lastDays(now: Date, timeZone: string, count: number): Days {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  const dates = Array.from({ length: count + 1 }, (_, at) => today.add({ days: at + 1 - count }))
  return {
    days: dates.slice(0, count).map(String),
    bounds: dates.map((date) => new Date(date.toZonedDateTime(timeZone).epochMilliseconds)),
  }
}
