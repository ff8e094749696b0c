import { Temporal } from 'temporal-polyfill'
import { FALLBACK_ZONE } from '#contract/values.ts'

/** A user's day: its date and the first of its month (`YYYY-MM-DD`), and how long it lasts yet. */
export type Day = { date: string; monthBegins: string; endsInMs: number }

/** The day in a zone. That of the account, not the browser's: whoever travels in a browser has no second day. */
export function dayAt(now: Date, timeZone: string | null): Day {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(
    timeZone ?? FALLBACK_ZONE,
  )
  const today = here.toPlainDate()
  const tomorrow = today.add({ days: 1 }).toZonedDateTime({ timeZone: here.timeZoneId })
  return {
    date: today.toString(),
    monthBegins: today.with({ day: 1 }).toString(),
    endsInMs: tomorrow.epochMilliseconds - now.getTime(),
  }
}
