import { Temporal } from 'temporal-polyfill'
import { daysLater, localDay } from '../automatic-mail/automatic-mail.ts'

/** A contact is silent from so many local days after the last mail on. */
export const SILENT_DAYS = 3
/** Follow-ups to one contact. */
export const FOLLOW_UPS_MAX = 3

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
  const today = localDay(now, zone)
  if (lastDay !== null && lastDay >= today) return hourOf(daysLater(lastDay, 1), hour, zone)
  const at = hourOf(today, hour, zone)
  if (at > now) return at
  const wasDue = before !== null && localDay(before, zone) <= today
  return wasDue ? now : hourOf(daysLater(today, 1), hour, zone)
}
