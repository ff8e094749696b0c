import { Temporal } from 'temporal-polyfill'

/**
 * When automatic mail may leave: days of the week (1 Monday to 7 Sunday), and hours from 0 to 24. An end before the beginning
 * is one of the next day; the days are those on which the hours begin.
 */
export type SendingRules = { days: readonly number[]; fromHour: number; untilHour: number }

/** Without rules of the user there are no quiet hours. */
export const ANY_TIME: SendingRules = { days: [1, 2, 3, 4, 5, 6, 7], fromHour: 0, untilHour: 24 }

/** Two weeks: where only one weekday is allowed, and its hours are the one that a change to summer time leaves out. */
const DAYS_AHEAD = 15

/**
 * When the next automatic mail may leave by the user's rules, from an instant on: the instant itself if it is within the
 * hours. Hours are those of the wall clock in `zone`, also on the days of a change to or from summer time.
 */
export function nextSendingTime(rules: SendingRules, zone: string, from: Date): Date {
  return sendingWindow(rules, zone, from).opens
}

/** {@link nextSendingTime}, and when these hours end. */
export function sendingWindow(
  { days, fromHour, untilHour }: SendingRules,
  zone: string,
  from: Date,
): { opens: Date; closes: Date } {
  const today = zoned(from, zone).toPlainDate()
  const nights = untilHour <= fromHour ? 1 : 0
  // Hours over midnight that began yesterday may last until today.
  for (let ahead = -nights; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = today.add({ days: ahead })
    if (!days.includes(day.dayOfWeek)) continue
    const opens = atHour(day, fromHour, zone)
    const closes = atHour(day.add({ days: nights }), untilHour, zone)
    if (opens < closes && from.getTime() < closes)
      return { opens: new Date(Math.max(from.getTime(), opens)), closes: new Date(closes) }
  }
  // No day of the week is allowed, which the settings do not take.
  return { opens: from, closes: from }
}

/** The user's day at an instant, as YYYY-MM-DD. */
export function localDay(at: Date, zone: string): string {
  return zoned(at, zone).toPlainDate().toString()
}

/** When the user's day began at an instant. */
export function dayBegins(at: Date, zone: string): Date {
  return new Date(zoned(at, zone).startOfDay().epochMilliseconds)
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
