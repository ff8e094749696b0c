import { Temporal } from 'temporal-polyfill'

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl', 'cs', 'fi', 'ru']
const HALF_DAY = 12 * 60
/** A weekday in a mail may mean one of these many days after it. */
const WEEKDAY_REACH = 14
const CURRENCIES = '[$€£¥₹]|USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN'
const UNITS = `${CURRENCIES}|%|euros?|dollars?|pounds?|francs?|franken|zł|kr|percent|per cent|prozent|pour cent|por ciento`
/** Numbers and words end at a length that no real one has: what is tried from each place stays short. */
const NUMBER = String.raw`\d(?:[\d.,'’\u00a0]{0,40}\d)?`
const MONTH = String.raw`\p{L}{3,20}`
const BEFORE_HOUR = String.raw`(?:at|um|à|a las|alle|às|om|kl\.?)`
/** Words of greetings that begin with a capital, and are no names. */
const GREETING =
  /^(?:hello|hi|hey|dear|good|morning|afternoon|evening|day|hallo|liebe[rs]?|guten|tag|morgen|abend|sehr|geehrte[rs]?|herr|frau|moin|bonjour|bonsoir|salut|cher|chère|madame|monsieur|hola|buenos|buenas|estimad[oa]|señora?|sra?|ciao|buongiorno|gentile|caro|cara|signora?|dott|olá|bom|dia|prezad[oa]|beste|geachte|goedemorgen|goedemiddag|heer|mevrouw|hej|hei|kære|bästa|cześć|dzień|dobry|pani?|szanown[ay]|mrs?|ms|miss|mx|dr|prof|professor|team|all|everyone|zusammen|alle)$/iu
const CLOSING =
  /^(?:kind|best|warm|regards|wishes|sincerely|yours|faithfully|thanks|thank|you|many|cheers|freundliche|grüße|gruß|grüßen|beste|viele|liebe|herzliche|mit|cordialement|bien|vous|saludos|cordiales|un|saludo|cordiali|saluti|distinti|met|vriendelijke|groet|groeten|hälsningar|vänliga|hilsen|venlig|vennlig|pozdrawiam|all|the)$/iu

/** What may be said: the words of the mails and what else the writer was given. */
export type Given = {
  /** Texts with the day on which each was written. */
  texts: readonly { text: string; at: Date }[]
  zone: string
}

/**
 * A time, a date, a weekday, an amount, a long number or a name that a text states and nobody gave its writer; null if there
 * is none. Names are only looked for in the greeting and below the text, in Latin letters. What is written out in words
 * ("five hundred", "tomorrow") is not seen.
 *
 * @returns the words with what they are: `the time "14:30"`
 */
export function inventedFact(text: string, { texts, zone }: Given): string | null {
  const all = texts.map((each) => each.text).join('\n')
  const times = new Set([...timesIn(all), ...bareHours(all)].map(({ minutes }) => minutes % HALF_DAY))
  const time = timesIn(text).find(({ minutes }) => !times.has(minutes % HALF_DAY))
  if (time !== undefined) return `the time "${time.words}"`

  const days = knownDays(texts, zone)
  const date = datesIn(text).find(({ readings }) => !readings.some((day) => days.dates.has(day)))
  if (date !== undefined) return `the date "${date.words}"`
  const weekday = weekdaysIn(text).find(({ day }) => !days.weekdays.has(day))
  if (weekday !== undefined) return `the day "${weekday.words}"`

  const numbers = new Set((all.match(new RegExp(NUMBER, 'g')) ?? []).flatMap(valuesOf))
  for (const { at } of texts) {
    const { year } = zoned(at, zone)
    for (const each of [year - 1, year, year + 1]) numbers.add(String(each))
  }
  const amount = amountsIn(text).find((words) => !valuesOf(words).some((value) => numbers.has(value)))
  if (amount !== undefined) return `the number "${amount}"`

  const known = beginningsOf(all)
  const name = namesAround(text).find((word) => !isKnownName(word, known))
  return name === undefined ? null : `the name "${name}"`
}

/** Whether a text states the clock time of an instant. */
export function saysTime(text: string, at: Date, zone: string): boolean {
  const { hour, minute } = zoned(at, zone)
  return timesIn(text).some(({ minutes }) => minutes % HALF_DAY === (hour * 60 + minute) % HALF_DAY)
}

/** Where words stand in a text. */
type Place = { words: string; index: number }
type Said = Place & { minutes: number }

/** How clock times are written; `half` is the first letter of "am" or "pm". */
const TIMES = [
  /(?<![\d.,:])(?<hour>[01]?\d|2[0-3])[:h](?<minute>[0-5]\d)(?![\d:])(?:\s?(?<half>[ap])\.?m\b)?/giu,
  /(?<![\d.,:])(?<hour>[01]?\d|2[0-3])\.(?<minute>[0-5]\d)\s?(?:uhr|(?<half>[ap])\.?m)\b/giu,
  /(?<![\d.,:])(?<hour>[01]?\d|2[0-3])\s?(?:uhr|(?<half>[ap])\.?m)\b/giu,
  new RegExp(
    String.raw`(?<!\p{L})${BEFORE_HOUR}\s(?<hour>[01]?\d|2[0-3])(?=[,;!?)]|\.(?!\d)|\s{0,20}$|\s(?:on|or|and|am|oder|und|le|ou|et)\s)`,
    'gimu',
  ),
]

function timesIn(text: string): Said[] {
  const found = TIMES.flatMap((written) => [...text.matchAll(written)]).map((match) => {
    const { hour, minute = '0', half = '' } = match.groups ?? {}
    const late = half.toLowerCase() === 'p' && Number(hour) < 12 ? 12 : 0
    return { ...placeOf(match), minutes: (Number(hour) + late) * 60 + Number(minute) }
  })
  const noon = /\b(?:noon|midday|mittags)\b/iu.exec(text)
  if (noon !== null) found.push({ ...placeOf(noon), minutes: HALF_DAY })
  return found
}

const placeOf = ({ 0: words, index }: RegExpExecArray): Place => ({ words: words.trim(), index })

/** Any number that may be an hour: "at three or 4", "15.30", "between 9 and 11". */
function bareHours(text: string): { minutes: number }[] {
  return [...text.matchAll(/(?<!\d)([01]?\d|2[0-3])(?:[.:h]?([0-5]\d))?(?!\d)/gu)].map(
    ([, hour, minute = '0']) => ({ minutes: Number(hour) * 60 + Number(minute) }),
  )
}

type SaidDate = Place & { readings: string[] }

function datesIn(text: string): SaidDate[] {
  const found: SaidDate[] = []
  const months = monthNames()
  const note = (match: RegExpExecArray, ...readings: string[]) => found.push({ ...placeOf(match), readings })
  const afterDay = new Set<string>()
  const dayFirst = new RegExp(
    String.raw`(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?\s?(?:of\s|de\s|d['’])?(${MONTH})`,
    'giu',
  )
  for (const match of text.matchAll(dayFirst)) {
    const [, day = '', name = ''] = match
    const month = months.get(name.toLowerCase())
    if (month === undefined) continue
    afterDay.add(name.toLowerCase())
    note(match, dayKey(month, day))
  }
  const monthFirst = new RegExp(
    String.raw`(?<!\p{L})(${MONTH})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?![\d:.,]\d|\d)`,
    'giu',
  )
  for (const match of text.matchAll(monthFirst)) {
    const [, name = '', day = ''] = match
    const month = months.get(name.toLowerCase())
    // English months are written with a capital: "you may 2 times" is no date.
    if (month !== undefined && !afterDay.has(name.toLowerCase()) && /^\p{Lu}/u.test(name))
      note(match, dayKey(month, day))
  }
  for (const match of text.matchAll(/(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)/gu))
    note(match, dayKey(Number(match[1]), match[2] ?? ''))
  const written = /(?<![\d.,/])(\d{1,2})([./])(\d{1,2})(?:\2\d{2,4}(?!\d)|(?<=\.\d{1,2})\.(?!\d))/gu
  for (const match of text.matchAll(written)) {
    const [, one = '', , other = ''] = match
    note(match, dayKey(Number(other), one), dayKey(Number(one), other))
  }
  return found
}

function weekdaysIn(text: string): { words: string; day: number }[] {
  const names = weekdayNames()
  return [...text.matchAll(/\p{L}{4,}(?:-feira)?/giu)].flatMap(([words]) => {
    const day = names.get(words.toLowerCase())
    return day === undefined ? [] : [{ words, day }]
  })
}

/** The days that were given, and those that a given weekday or date may mean. */
function knownDays(texts: Given['texts'], zone: string): { dates: Set<string>; weekdays: Set<number> } {
  const dates = new Set<string>()
  const weekdays = new Set<number>()
  for (const { text, at } of texts) {
    const written = zoned(at, zone).toPlainDate()
    dates.add(dayKey(written.month, String(written.day)))
    weekdays.add(written.dayOfWeek)
    for (const day of new Set(weekdaysIn(text).map((each) => each.day))) {
      weekdays.add(day)
      for (let ahead = 0; ahead <= WEEKDAY_REACH; ahead += 1) {
        const date = written.add({ days: ahead })
        if (date.dayOfWeek === day) dates.add(dayKey(date.month, String(date.day)))
      }
    }
    const said = [...datesIn(text), ...looseDates(text)].flatMap(({ readings }) => readings)
    for (const key of new Set(said)) {
      dates.add(key)
      const [month = 0, day = 0] = key.split('-').map(Number)
      for (const year of [written.year, written.year + 1]) {
        const date = month < 1 || month > 12 || day < 1 ? null : Temporal.PlainDate.from({ year, month, day })
        if (date?.day === day) weekdays.add(date.dayOfWeek)
      }
    }
  }
  return { dates, weekdays }
}

/** "24/11" and "on the 24th" may be dates; a writer who was given them may say them. */
function looseDates(text: string): { readings: string[] }[] {
  return [...text.matchAll(/(?<!\d)(\d{1,2})[./](\d{1,2})(?!\d)/gu)].map(([, one = '', other = '']) => ({
    readings: [dayKey(Number(other), one), dayKey(Number(one), other)],
  }))
}

function amountsIn(text: string): string[] {
  // Times and dates have been looked at; what is left of them are no amounts.
  const rest = without(text, [...timesIn(text), ...datesIn(text)])
  const before = new RegExp(String.raw`(?:${CURRENCIES})\s?(${NUMBER})`, 'giu')
  const after = new RegExp(String.raw`(${NUMBER})\s?(?:${UNITS})(?!\p{L})`, 'giu')
  const long = [...rest.matchAll(new RegExp(NUMBER, 'gu'))].map(([words]) => words)
  return [
    ...[...rest.matchAll(before), ...rest.matchAll(after)].map(([, words = '']) => words),
    ...long.filter((words) => words.replaceAll(/\D/g, '').length >= 3),
  ]
}

/** A text without the words at these places. */
function without(text: string, places: readonly Place[]): string {
  const kept: string[] = []
  let end = 0
  for (const { words, index } of places.toSorted((one, other) => one.index - other.index)) {
    if (index >= end) kept.push(text.slice(end, index))
    end = Math.max(end, index + words.length)
  }
  return [...kept, text.slice(end)].join(' ')
}

/** A number as it may be meant: "1.250" is 1250 or 1.25. */
function valuesOf(words: string): string[] {
  const plain = words.replaceAll(/['’\u00a0]/g, '')
  const whole = plain.replaceAll(/[.,]/g, '')
  const [, integer, fraction] = /^(.*)[.,](\d{1,3})$/.exec(plain) ?? []
  const values = [String(Number(whole))]
  if (integer !== undefined && fraction !== undefined)
    values.push(String(Number(`${integer.replaceAll(/[.,]/g, '')}.${fraction}`)))
  return values
}

/** Words with a capital in the greeting, and in the lines below the text. */
function namesAround(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const filled = lines.filter((line) => line !== '')
  const [greeting = ''] = filled
  const named: string[] = []
  const [, greeted = '', rest = ''] = /^([^.?:;]{2,60}?)[,!](.*)$/u.exec(greeting) ?? []
  const [first = '', ...others] = namesIn(greeted)
  if (rest === '' || GREETING.test(first)) named.push(...others)
  for (const line of filled.slice(1).slice(-3)) {
    const words = line.split(/\s+/)
    const areNames =
      words.length <= 4 && !/[,.!?:;]$/u.test(line) && words.every((word) => /^\p{Lu}/u.test(word))
    if (areNames) named.push(...namesIn(line))
  }
  return named.filter((word) => !GREETING.test(word) && !CLOSING.test(word))
}

const namesIn = (line: string): string[] =>
  line.match(/(?<!\p{L})\p{L}[\p{L}\p{M}'’-]*/gu)?.filter(isName) ?? []
const isName = (word: string, at: number) => at === 0 || /^\p{Lu}\p{Ll}/u.test(word)

const BEGINNING = 3

/** Languages bend names ("Anno" for "Anna"), so the beginning decides. */
function isKnownName(word: string, known: ReadonlySet<string>): boolean {
  if (!/^\p{Script=Latin}/u.test(word)) return true
  return known.has(plainLetters(word).slice(0, BEGINNING))
}

/** The first letters of every word: one, two and three of them. */
function beginningsOf(text: string): Set<string> {
  const beginnings = new Set<string>()
  for (const word of new Set(plainLetters(text).split(/[^\p{L}]+/u)))
    for (let letters = 1; letters <= BEGINNING; letters += 1) beginnings.add(word.slice(0, letters))
  return beginnings
}

const plainLetters = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const dayKey = (month: number, day: string) => `${month}-${Number(day)}`
const zoned = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

let months: Map<string, number> | undefined
function monthNames(): Map<string, number> {
  return (months ??= namesOf('month', 12, (index) => new Date(Date.UTC(2026, index, 15))))
}

let weekdays: Map<string, number> | undefined
function weekdayNames(): Map<string, number> {
  // 5 January 2026 is a Monday.
  return (weekdays ??= namesOf('weekday', 7, (index) => new Date(Date.UTC(2026, 0, 5 + index))))
}

/** The names of months or weekdays in {@link LOCALES}, each with its number from 1. */
function namesOf(part: 'month' | 'weekday', count: number, dateOf: (index: number) => Date) {
  const names = new Map<string, number>()
  const forms: Intl.DateTimeFormatOptions[] =
    part === 'month'
      ? [{ month: 'long', day: 'numeric' }, { month: 'long' }, { month: 'short' }]
      : [{ weekday: 'long' }]
  for (const locale of LOCALES)
    for (const form of forms) {
      const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' })
      for (let index = 0; index < count; index += 1) {
        const name = format.formatToParts(dateOf(index)).find(({ type }) => type === part)?.value ?? ''
        const word = name.toLowerCase().replace(/\.$/, '')
        if (/^\p{L}{3,}(?:-feira)?$/u.test(word) && !names.has(word)) names.set(word, index + 1)
      }
    }
  return names
}
