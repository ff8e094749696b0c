import type * as Chrono from 'chrono-node'
import { Temporal } from 'temporal-polyfill'
import { chronoNode } from './chrono.ts'
import { newWords } from './replies/replies.ts'

export type Slot = { start: Date; end: Date }

const MINUTES = 30
const MINUTE_MS = 60_000
/** Working hours in the user's time, Monday to Friday. */
const FIRST_HOUR = 9
const END_HOUR = 17
/** When no time is mentioned. */
const USUAL_HOUR = 10
/** Of the times that are offered beside the first. */
const OTHER_HOURS = [14, 10]
/** A meeting is proposed neither for the next few minutes nor for a time too far ahead to plan. */
const LEAD_MINUTES = 30
const AHEAD_DAYS = 180
/** "For half an hour", "about 20 minutes", "30 minutes": how long, and not when, as "in half an hour" or "an hour from now" say. */
const LENGTH =
  /^(?:for|about|around|roughly|approximately|just|half|an?|one|two|three|four|five|six|few|couple|pendant|durante|por|\d+)\b(?!.*\b(?:from now|later)$)/iu
/** Times are looked for in this much of the text. */
const MAX_CHARS = 3000
/** Slots checked for a free one: about six weeks. */
const SLOTS_MAX = 500

/** How far after the requested time a free slot is looked for. */
export const LOOK_AHEAD_MS = 45 * 86_400_000

/**
 * The time a mail asks to meet, within working hours of the user's zone; the next working day at 10:00 if it names no
 * usable time.
 */
export function wantedTime(text: string, now: Date, timeZone: string): Date {
  const today = zoned(now, timeZone)
  // The time parser is far slower on long runs of blanks than on words.
  const words = newWords(text)
    .slice(0, MAX_CHARS)
    .replaceAll(/[ \t\u00a0]+/g, ' ')
  for (const found of timesIn(words, now, today)) {
    const earliest = today.add({ minutes: LEAD_MINUTES })
    if (compare(found.at, earliest) < 0 || compare(found.at, today.add({ days: AHEAD_DAYS })) > 0) continue
    if (found.hasHour && inWorkingHours(found.at)) return date(found.at)
    const thatDay = at(found.at, USUAL_HOUR)
    if (isWorkingDay(thatDay) && compare(thatDay, earliest) > 0) return date(thatDay)
    return date(nextWorkingDay(found.at))
  }
  return date(nextWorkingDay(today))
}

/** The first half hour from the requested time on that overlaps no busy time. */
export function freeSlot(wanted: Date, timeZone: string, busy: readonly Slot[]): Slot {
  let start = zoned(wanted, timeZone)
  for (let looked = 0; looked < SLOTS_MAX; looked += 1) {
    const slot = { start: date(start), end: date(start.add({ minutes: MINUTES })) }
    if (!busy.some((taken) => taken.start < slot.end && taken.end > slot.start)) return slot
    const next = start.add({ minutes: MINUTES })
    start = inWorkingHours(next) ? next : at(nextWorkingDay(start), FIRST_HOUR)
  }
  return { start: date(start), end: date(start.add({ minutes: MINUTES })) }
}

/**
 * Up to three free half hours: the first from the requested time on, the others on the working days after it, in the morning
 * and in the afternoon. Nothing overlaps a busy time.
 */
export function freeSlots(wanted: Date, timeZone: string, busy: readonly Slot[]): Slot[] {
  const slots = [freeSlot(wanted, timeZone, busy)]
  for (const hour of OTHER_HOURS) {
    const last = zoned(slots.at(-1)?.start ?? wanted, timeZone)
    const next = freeSlot(date(at(nextWorkingDay(last), hour)), timeZone, busy)
    if (next.end.getTime() - wanted.getTime() <= LOOK_AHEAD_MS) slots.push(next)
  }
  return slots
}

/** "Tuesday 3 November at 10:00". */
export function slotWords({ start }: Slot, timeZone: string): string {
  const when = zoned(start, timeZone)
  const part = (options: Intl.DateTimeFormatOptions) => when.toLocaleString('en-GB', options)
  const time = part({ hour: '2-digit', minute: '2-digit', hour12: false })
  return `${part({ weekday: 'long' })} ${when.day} ${part({ month: 'long' })} at ${time}`
}

type FoundTime = { at: Temporal.ZonedDateTime; hasHour: boolean }

/** The times mentioned in a text, in order; English first, then the languages of the intents. */
function timesIn(text: string, now: Date, today: Temporal.ZonedDateTime): FoundTime[] {
  const reference = { instant: now, timezone: today.offsetNanoseconds / 60e9 }
  const chrono = chronoNode()
  for (const language of [chrono.casual, chrono.de.casual, chrono.fr.casual, chrono.es.casual]) {
    const found = language
      .parse(text, reference, { forwardDate: true })
      .filter(({ start, text: words }) => !start.tags().has('result/relativeDate') || !LENGTH.test(words))
      .flatMap(({ start }) => timeOf(start, today) ?? [])
    if (found.length > 0) return found
  }
  return []
}

function timeOf(parts: Chrono.ParsedComponents, today: Temporal.ZonedDateTime): FoundTime | undefined {
  const hasHour = parts.isCertain('hour')
  if (!hasHour && !parts.isCertain('day') && !parts.isCertain('weekday')) return undefined
  const { timeZoneId: timeZone } = today
  if (parts.isCertain('timezoneOffset')) return { at: zoned(parts.date(), timeZone), hasHour }
  const of = (part: Chrono.Component) => parts.get(part) ?? 0
  try {
    const clock = { hour: hasHour ? of('hour') : USUAL_HOUR, minute: hasHour ? of('minute') : 0 }
    const day = { year: of('year'), month: of('month'), day: of('day') }
    return {
      at: Temporal.ZonedDateTime.from({ timeZone, ...day, ...clock }, { overflow: 'reject' }),
      hasHour,
    }
  } catch {
    return undefined
  }
}

function isWorkingDay({ dayOfWeek }: Temporal.ZonedDateTime): boolean {
  return dayOfWeek <= 5
}

function inWorkingHours(start: Temporal.ZonedDateTime): boolean {
  const minutes = start.hour * 60 + start.minute
  return isWorkingDay(start) && minutes >= FIRST_HOUR * 60 && minutes + MINUTES <= END_HOUR * 60
}

function nextWorkingDay(after: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  let day = at(after.add({ days: 1 }), USUAL_HOUR)
  while (!isWorkingDay(day)) day = day.add({ days: 1 })
  return day
}

const at = (day: Temporal.ZonedDateTime, hour: number) => day.withPlainTime({ hour })
const compare = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime) =>
  Temporal.ZonedDateTime.compare(one, other)
const date = (when: Temporal.ZonedDateTime) =>
  new Date(Math.floor(when.epochMilliseconds / MINUTE_MS) * MINUTE_MS)
const zoned = (when: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(when.getTime()).toZonedDateTimeISO(timeZone)
