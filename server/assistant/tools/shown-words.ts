import { Temporal } from 'temporal-polyfill'

export { shownText, shownWords } from '../../formats/mail-text/shown-words.ts'

const zoned = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

/** The calendar day of an instant. */
export function dayOf(at: Date, zone: string): string {
  return zoned(at, zone).toPlainDate().toString()
}

/** "Friday 27 November", with the year where it is another one than now. */
export function dayWords(day: string, now: Date, zone: string): string {
  const date = Temporal.PlainDate.from(day)
  const today = zoned(now, zone).toPlainDate()
  const words = `${date.toLocaleString('en-GB', { weekday: 'long' })} ${date.day} ${date.toLocaleString('en-GB', { month: 'long' })}`
  return date.year === today.year ? words : `${words} ${date.year}`
}

/** "Friday 27 November at 15:00". */
export function timeWords(at: Date, now: Date, zone: string): string {
  return `${dayWords(dayOf(at, zone), now, zone)} at ${clockWords(at, zone)}`
}

/** "15:00". */
export function clockWords(at: Date, zone: string): string {
  const { hour, minute } = zoned(at, zone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** "Friday 27 November 2026": nothing is left to guess, as a card needs. */
export function fullDay(day: string): string {
  const date = Temporal.PlainDate.from(day)
  return `${date.toLocaleString('en-GB', { weekday: 'long' })} ${date.day} ${date.toLocaleString('en-GB', { month: 'long' })} ${date.year}`
}

/** "Friday 27 November 2026, 15:00 to 15:30 (Europe/Berlin)". */
export function spanWords(start: Date, end: Date, zone: string): string {
  const day = (at: Date) => fullDay(dayOf(at, zone))
  const ends =
    dayOf(start, zone) === dayOf(end, zone) ? clockWords(end, zone) : `${day(end)}, ${clockWords(end, zone)}`
  return `${day(start)}, ${clockWords(start, zone)} to ${ends} (${zone})`
}

/** "1 contact", "3 contacts", "1,204 contacts". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}
