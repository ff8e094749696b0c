import { Temporal } from 'temporal-polyfill'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'

/** A user's day: its date and the first of its month (`YYYY-MM-DD`), when it ends, and how long it is until the next one counts. */
export type Day = { date: string; monthBegins: string; endsAt: Date; endsInMs: number }

/** The day of a user's newest use. */
export type CountedDay = { day: string; day_ends_at: Date | null }

/**
 * The day in a zone. That of the account, not the browser's: travelling with a browser gives no second day.
 *
 * Nor does changing the account's zone: it counts from the next day in both zones. Until the day of the newest use is
 * over where it was counted, and its date here, that day goes on.
 */
export function dayAt(now: Date, timeZone: string | null, newest?: CountedDay): Day {
  const zone = timeZone ?? FALLBACK_ZONE
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  const isOver = newest === undefined || (newest.day_ends_at ?? now) <= now
  if (newest === undefined || (isOver && today.toString() > newest.day)) {
    const endsAt = endOf(today, zone)
    return dayOf(today, endsAt, endsAt, now)
  }
  const counted = Temporal.PlainDate.from(newest.day)
  const endsHere = endOf(counted, zone)
  const endsAt = newest.day_ends_at ?? endsHere
  return dayOf(counted, endsAt, endsAt > endsHere ? endsAt : endsHere, now)
}

function dayOf(date: Temporal.PlainDate, endsAt: Date, nextAt: Date, now: Date): Day {
  return {
    date: date.toString(),
    monthBegins: date.with({ day: 1 }).toString(),
    endsAt,
    endsInMs: nextAt.getTime() - now.getTime(),
  }
}

const endOf = (date: Temporal.PlainDate, timeZone: string) =>
  new Date(date.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds)
