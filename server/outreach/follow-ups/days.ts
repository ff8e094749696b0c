import { Temporal } from 'temporal-polyfill'

/** A contact is silent from so many local days after the last mail on. */
export const SILENT_DAYS = 3
/** Follow-ups to one contact. */
export const FOLLOW_UPS_MAX = 3

/** The local day of an instant, `YYYY-MM-DD`. */
export function dayAt(at: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
}

/** The day that is so many days after another; before it below 0. */
export function plusDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The first instant of a local day. */
export function startOf(day: string, zone: string): Date {
  const start = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone })
  return new Date(start.epochMilliseconds)
}

/** An hour of a local day. One that summer time leaves out is an hour later; of two the first counts. */
export function hourOf(day: string, hour: number, zone: string): Date {
  const at = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: { hour } })
  return new Date(at.epochMilliseconds)
}

export type Schedule = { hour: number; zone: string; lastDay: string | null }

/**
 * When follow-ups run after the settings have changed. What was due and has not run yet goes on at once, if its new hour has gone;
 * otherwise an hour of today that has gone means tomorrow.
 */
export function nextRun({ hour, zone, lastDay }: Schedule, now: Date, before: Date | null): Date {
  const today = dayAt(now, zone)
  if (lastDay !== null && lastDay >= today) return hourOf(plusDays(lastDay, 1), hour, zone)
  const at = hourOf(today, hour, zone)
  if (at > now) return at
  const wasDue = before !== null && dayAt(before, zone) <= today
  return wasDue ? now : hourOf(plusDays(today, 1), hour, zone)
}
