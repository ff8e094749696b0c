import { Temporal } from 'temporal-polyfill'

/** When automatic mail may leave: days of the week (1 Monday to 7 Sunday), and hours from 0 to 24. */
export type SendingRules = { days: readonly number[]; fromHour: number; untilHour: number }

/** Without rules of the user there are no quiet hours. */
export const ANY_TIME: SendingRules = { days: [1, 2, 3, 4, 5, 6, 7], fromHour: 0, untilHour: 24 }

/** A week and a day: where only today's weekday is allowed, and today is over. */
const DAYS_AHEAD = 8

/**
 * When the next automatic mail may leave by the user's rules, from an instant on: the instant itself if it is within the
 * hours. Hours are those of the wall clock in `zone`, also on the days of a change to or from summer time.
 */
export function nextSendingTime(rules: SendingRules, zone: string, from: Date): Date {
  const begin = zoned(from, zone).toPlainDate()
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = begin.add({ days: ahead })
    if (!rules.days.includes(day.dayOfWeek)) continue
    const opens = atHour(day, rules.fromHour, zone)
    const closes = atHour(day, rules.untilHour, zone)
    if (from.getTime() < closes) return new Date(Math.max(from.getTime(), opens))
  }
  // No day of the week is allowed, which the settings do not take.
  return from
}

/** The user's day at an instant, as YYYY-MM-DD. */
export function localDay(at: Date, zone: string): string {
  return zoned(at, zone).toPlainDate().toString()
}

/** When the user's next day begins. */
export function nextDay(at: Date, zone: string): Date {
  return new Date(zoned(at, zone).startOfDay().add({ days: 1 }).epochMilliseconds)
}

/** A local day so many days later. */
export function daysLater(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

function zoned(at: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
}

/** Hour 24 is the beginning of the next day: not all days have 24 hours. */
function atHour(day: Temporal.PlainDate, hour: number, zone: string): number {
  if (hour === 24) return day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }).epochMilliseconds
  return day.toZonedDateTime({ timeZone: zone, plainTime: { hour } }).epochMilliseconds
}
