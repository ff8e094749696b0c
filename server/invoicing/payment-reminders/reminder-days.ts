import { Temporal } from 'temporal-polyfill'
import type { SettingsRow } from './store.ts'

/** A reminder's words are to be seen for so long before they leave. */
export const SHOWN_MS = 24 * 60 * 60_000

/** The day that is so many days after a due date; before it below 0. */
export function dayOf(dueDate: string, days: number): string {
  return Temporal.PlainDate.from(dueDate).add({ days }).toString()
}

/** When a reminder would leave if it had been seen long enough: at the hour of the settings, in their zone. */
export function hourOf(dueDate: string, days: number, { hour, time_zone }: SettingsRow): Date {
  const day = Temporal.PlainDate.from(dayOf(dueDate, days))
  const at = day.toZonedDateTime({ timeZone: time_zone, plainTime: { hour } })
  return new Date(at.epochMilliseconds)
}

/** When it leaves: at its hour, but not before its words have been seen for a day. */
export function dueAt(
  dueDate: string,
  { days, shown_at, text }: { days: number; shown_at: Date; text: string | null },
  settings: SettingsRow,
): Date {
  const shown =
    text === null ? Math.max(shown_at.getTime(), settings.words_changed_at.getTime()) : shown_at.getTime()
  return new Date(Math.max(hourOf(dueDate, days, settings).getTime(), shown + SHOWN_MS))
}
