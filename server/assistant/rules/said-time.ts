import type * as Chrono from 'chrono-node'
import { Temporal } from 'temporal-polyfill'
import { chronoNode } from '../../formats/mail-text/chrono.ts'

/** Characters of a question that are read. */
export const READ_MAX = 500
/** "At 3" is in the afternoon: nobody meets at night. */
const AFTERNOON_BEFORE_HOUR = 7
const LONGEST_MINUTES = 24 * 60

/** A time that somebody said, in a time zone. */
export type SaidTime = {
  /** `2026-11-27`. */
  day: string
  /** The instant; null where only a day was said. */
  at: Date | null
  minutes: number | null
  /** The words that said it. */
  words: string
}

/** From a day to a day, both included, and how it was said ("this week"). */
export type SaidPeriod = { from: string; to: string; words: string; isPast: boolean }

/**
 * The first time in a sentence, as a person in this zone means it: days are still to come, "at 3" is in the afternoon,
 * 3/12 is read as is usual there. Null without one.
 */
export function saidTime(sentence: string, now: Date, timeZone: string): SaidTime | null {
  const { text, minutes } = withoutDuration(readable(sentence))
  const today = zoned(now, timeZone)
  const reference = { instant: now, timezone: today.offsetNanoseconds / 60e9 }
  const { en } = chronoNode()
  const language = /^(?:America\/(?!Sao|Arg|Bog|Lima|Sant)|US\/|Pacific\/Honolulu)/.test(timeZone)
    ? en.casual
    : en.GB
  for (const found of language.parse(text, reference, { forwardDate: true })) {
    const hasHour = found.start.isCertain('hour')
    const hasDay = ['day', 'weekday', 'month'].some((part) => found.start.isCertain(part as Chrono.Component))
    if (!hasHour && !hasDay) continue
    const said = wallTime(found.start, today, hasHour, found.text)
    if (said === null) continue
    const isElapsed = /\bin\b/i.test(found.text) && !/\bin the\b/i.test(found.text)
    // Without a day it is today; "at 3" after three o'clock is tomorrow.
    const start = hasDay || isElapsed ? said : today.withPlainTime(said.toPlainTime())
    const begins =
      !hasDay && Temporal.ZonedDateTime.compare(start, today) <= 0 ? start.add({ days: 1 }) : start
    const ends = found.end == null ? null : wallTime(found.end, today, hasHour, found.text)
    const length =
      ends === null || !hasHour
        ? minutes
        : Math.round((ends.epochMilliseconds - said.epochMilliseconds) / 60_000)
    return {
      day: begins.toPlainDate().toString(),
      at: hasHour ? new Date(begins.epochMilliseconds) : null,
      minutes: length !== null && length > 0 && length <= LONGEST_MINUTES ? length : minutes,
      words: found.text,
    }
  }
  return null
}

/** "for 45 minutes", "for an hour and a half": taken out, as the reader of dates takes it for a time. */
export function withoutDuration(sentence: string): { text: string; minutes: number | null } {
  const found =
    /\b(?:for|lasting)\s+(?:(?<half>half an hour)|(?<anHalf>an hour and a half)|(?<amount>\d{1,3}(?:\.5)?|an?|one|two|three)\s*(?<unit>minutes?|mins?|hours?|hrs?|h)\b)|\b(?<length>\d{1,3})[\s-](?<of>minute|min|hour)\b/i.exec(
      sentence,
    )
  if (found === null) return { text: sentence, minutes: null }
  const { half, anHalf, amount, unit, length, of } = found.groups ?? {}
  const text = sentence.replace(found[0], ' ')
  if (half !== undefined) return { text, minutes: 30 }
  if (anHalf !== undefined) return { text, minutes: 90 }
  const words: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3 }
  const said = (amount ?? length ?? '').toLowerCase()
  const count = words[said] ?? Number(said)
  return { text, minutes: Math.round(count * ((unit ?? of ?? '').toLowerCase().startsWith('h') ? 60 : 1)) }
}

/** A span of days that a question is about: "today", "this week", "the last 7 days", "on Friday". Weeks begin on Monday. */
export function saidPeriod(sentence: string, now: Date, timeZone: string): SaidPeriod | null {
  const text = readable(sentence).toLowerCase()
  const today = zoned(now, timeZone).toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const first = today.with({ day: 1 })
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate, words: string): SaidPeriod => ({
    from: from.toString(),
    to: to.toString(),
    words,
    isPast: Temporal.PlainDate.compare(to, today) < 0,
  })
  const [, count, unit] = /\b(?:last|past)\s+(\d{1,3})\s+(day|week|month)s?\b/.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return {
      ...span(today.subtract({ [`${unit}s`]: Number(count) }), today, `in the last ${count} ${unit}s`),
      isPast: true,
    }
  const [, next, nextUnit] = /\bnext\s+(\d{1,3})\s+(day|week|month)s?\b/.exec(text) ?? []
  if (next !== undefined && nextUnit !== undefined)
    return span(today, today.add({ [`${nextUnit}s`]: Number(next) }), `in the next ${next} ${nextUnit}s`)
  if (/\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b/.test(text))
    return span(today, today, 'today')
  if (/\bday after tomorrow\b/.test(text))
    return span(today.add({ days: 2 }), today.add({ days: 2 }), 'the day after tomorrow')
  if (/\btomorrow\b/.test(text)) return span(today.add({ days: 1 }), today.add({ days: 1 }), 'tomorrow')
  if (/\byesterday\b/.test(text))
    return span(today.subtract({ days: 1 }), today.subtract({ days: 1 }), 'yesterday')
  if (/\bthis week\b/.test(text)) return span(monday, monday.add({ days: 6 }), 'this week')
  if (/\bnext week\b/.test(text)) return span(monday.add({ days: 7 }), monday.add({ days: 13 }), 'next week')
  if (/\blast week\b/.test(text))
    return span(monday.subtract({ days: 7 }), monday.subtract({ days: 1 }), 'last week')
  if (/\bthis month\b/.test(text))
    return span(first, first.add({ months: 1 }).subtract({ days: 1 }), 'this month')
  if (/\bnext month\b/.test(text))
    return span(first.add({ months: 1 }), first.add({ months: 2 }).subtract({ days: 1 }), 'next month')
  if (/\blast month\b/.test(text))
    return span(first.subtract({ months: 1 }), first.subtract({ days: 1 }), 'last month')
  const longer = monthOrYear(text, today)
  if (longer !== null) return span(longer.from, longer.to, longer.words)
  const said = saidTime(sentence, now, timeZone)
  // A month without a day is no day of it.
  if (said === null || ONLY_MONTH.test(said.words)) return null
  // "How many did I send on Monday?" is about the Monday before.
  const isBefore = IS_PAST.test(text) && WEEKDAY.test(said.words) && said.day > today.toString()
  const day = Temporal.PlainDate.from(said.day).subtract({ weeks: isBefore ? 1 : 0 })
  return span(
    day,
    day,
    `on ${day.toLocaleString('en-GB', { weekday: 'long' })} ${day.day} ${day.toLocaleString('en-GB', { month: 'long' })}`,
  )
}

const IS_PAST = /\b(?:last|did|was|were|had|have|has|made|sent|got|earned|invoiced|sold|replied|received)\b/
const WEEKDAY = /(?:mon|tues|wednes|thurs|fri|satur|sun)day/i
const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ')
/** A month without a day. "May" and "march" are verbs too, so a word before them says that a month is meant. */
const ONLY_MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$/i
const SHORT_MONTH = /\b(in|during|last|this) (jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?/g
const WHOLE_MONTH = new RegExp(
  String.raw`\b(?:in|during|for|of|last|this)\s+(${MONTH_NAMES.join('|')})\b(?:\s+(\d{4})\b)?(?!\s+\d)`,
)
const LONE_MONTH = new RegExp(
  String.raw`(?<!\d(?:st|nd|rd|th)?(?: of)? )\b(${MONTH_NAMES.filter((name) => !/^ma[ry]/.test(name)).join('|')})\b(?:\s+(\d{4})\b)?(?!\s+\d)`,
)

type Days = { from: Temporal.PlainDate; to: Temporal.PlainDate; words: string }

/** "In October", "October 2026", "this year", "last quarter", "last Friday": null where no such span is said. */
function monthOrYear(said: string, today: Temporal.PlainDate): Days | null {
  const text = said.replaceAll(
    SHORT_MONTH,
    (_, lead: string, short: string) =>
      `${lead} ${MONTH_NAMES.find((name) => name.startsWith(short)) ?? short}`,
  )
  const [, named, year] = WHOLE_MONTH.exec(text) ?? LONE_MONTH.exec(text) ?? []
  if (named !== undefined && !new RegExp(String.raw`\d(?:st|nd|rd|th)? (?:of )?${named}`).test(text)) {
    const first = today.with({ month: MONTH_NAMES.indexOf(named) + 1, day: 1 })
    const from = year === undefined ? nearestMonth(first, today, text) : first.with({ year: Number(year) })
    const words = `in ${from.toLocaleString('en-GB', { month: 'long' })} ${from.year}`
    return { from, to: from.add({ months: 1 }).subtract({ days: 1 }), words }
  }
  const [, which, unit] = /\b(this|last|next) (year|quarter)\b/.exec(text) ?? []
  if (which !== undefined && unit !== undefined) {
    const months = unit === 'year' ? 12 : 3
    const begins = today.with({ month: today.month - ((today.month - 1) % months), day: 1 })
    const from = begins.add({ months: which === 'this' ? 0 : which === 'next' ? months : -months })
    return { from, to: from.add({ months }).subtract({ days: 1 }), words: `${which} ${unit}` }
  }
  const [, asked] = /\b(?:in|during|for) (20\d\d)\b/.exec(text) ?? []
  if (asked !== undefined) {
    const from = Temporal.PlainDate.from({ year: Number(asked), month: 1, day: 1 })
    return { from, to: from.add({ years: 1 }).subtract({ days: 1 }), words: `in ${asked}` }
  }
  if (/\bweekend\b/.test(text)) {
    const saturday = today.add({ days: 6 - today.dayOfWeek })
    const from = saturday.add({
      weeks: /\bnext weekend\b/.test(text) ? 1 : /\blast weekend\b/.test(text) ? -1 : 0,
    })
    return {
      from,
      to: from.add({ days: 1 }),
      words: /\b(?:next|last) weekend\b/.exec(text)?.[0] ?? 'this weekend',
    }
  }
  return null
}

/** The month of this name that is meant: the last one where it is over, the next one where it is to come. */
function nearestMonth(first: Temporal.PlainDate, today: Temporal.PlainDate, text: string) {
  const isOver = IS_PAST.test(text) || /\blast\b|\b(?:revenue|sales|turnover|income)\b/.test(text)
  const isLater = first.month > today.month
  if (isOver) return isLater ? first.subtract({ years: 1 }) : first
  return first.month < today.month ? first.add({ years: 1 }) : first
}

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const MONTH_FIRST = new RegExp(
  String.raw`\b(${MONTHS})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?![:\d]|\s?[ap]m)`,
  'gi',
)

/** What the reader of dates understands: fewer blanks (it is slow on them), clock words as figures, the day before its month. */
export function readable(sentence: string): string {
  return (
    sentence
      .slice(0, READ_MAX)
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\bhalf past (\d{1,2})\b/gi, '$1:30')
      .replaceAll(/\b(?:a )?quarter past (\d{1,2})\b/gi, '$1:15')
      .replaceAll(
        /\b(?:a )?quarter to (\d{1,2})\b/gi,
        (_, hour: string) => `${Number(hour) === 1 ? 12 : Number(hour) - 1}:45`,
      )
      .replaceAll(
        /\b(\d{1,2})h(\d{2})?\b/g,
        (_, hour: string, minute: string | undefined) => `${hour}:${minute ?? '00'}`,
      )
      .replaceAll(/\b(\d{1,2}) ?o['’]clock\b/gi, '$1:00')
      .replaceAll(MONTH_FIRST, '$2 $1')
      // It would take the same day of this week.
      .replaceAll(/\b(?:the )?coming (?=mon|tue|wed|thu|fri|sat|sun)/gi, '')
  )
}

function wallTime(
  parts: Chrono.ParsedComponents,
  today: Temporal.ZonedDateTime,
  hasHour: boolean,
  words: string,
): Temporal.ZonedDateTime | null {
  const of = (part: Chrono.Component) => parts.get(part) ?? 0
  const { timeZoneId: timeZone } = today
  if (parts.isCertain('timezoneOffset'))
    return Temporal.Instant.fromEpochMilliseconds(parts.date().getTime()).toZonedDateTimeISO(timeZone)
  let hour = hasHour ? of('hour') : 0
  const isNight = /\b0\d[:.]|\bam\b|a\.m|\bmorning\b|\bnight\b|\bin \d|\bhours?\b|\bminutes?\b/i.test(words)
  if (hasHour && hour > 0 && hour < AFTERNOON_BEFORE_HOUR && !isNight) hour += 12
  try {
    return Temporal.ZonedDateTime.from(
      {
        timeZone,
        year: of('year'),
        month: of('month'),
        day: of('day'),
        hour,
        minute: hasHour ? of('minute') : 0,
      },
      { overflow: 'reject' },
    )
  } catch {
    return null
  }
}

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
