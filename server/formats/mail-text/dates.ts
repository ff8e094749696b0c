import { oneLine } from '../../platform/text.ts'

/** No mail is older than this, and no honest clock is ahead of that. */
const EARLIEST_DATE = Date.UTC(1980, 0, 1)
const LATEST_DATE = Date.UTC(2100, 0, 1)
const MAX_DATE_CHARS = 200

/** Zone names that mean one offset only, besides those that JavaScript knows (RFC 5322 4.3: UT, GMT, EST … PDT). */
const NAMES_OF_OFFSETS = {
  '+0000': 'WET',
  '+0100': 'WEST BST CET MEZ MET',
  '+0200': 'CEST MESZ MEST EET SAST',
  '+0300': 'EEST MSK',
  '+0800': 'HKT SGT AWST',
  '+0900': 'JST KST',
  '+1000': 'AEST',
  '+1100': 'AEDT',
  '+1200': 'NZST',
  '+1300': 'NZDT',
}
const OFFSETS = new Map(
  Object.entries(NAMES_OF_OFFSETS).flatMap(([offset, names]) =>
    names.split(' ').map((name) => [name, offset]),
  ),
)
const KNOWN_WORDS = /^(?:UTC?|GMT|Z|[ECMP][SD]T)$/i
const LOOKS_LIKE_DATE =
  /\d{1,2}[ -]\p{L}{3,}\.?[ -]\d{2,4}|\d{4}-\d{2}-\d{2}|\p{L}{3,} \d{1,2},? (?:[\d:]+ )?\d{4}/u

/**
 * The instant of a Date header: RFC 5322 and its usual misspellings. A missing or unknown zone means UTC (RFC 5322
 * 4.3); nonsense and impossible dates return undefined.
 */
export function dateOf(header: string): Date | undefined {
  const value = oneLine(header.slice(0, MAX_DATE_CHARS).replace(/\([^()]*\)/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
  if (!LOOKS_LIKE_DATE.test(value)) return undefined
  const date = new Date(withZone(value))
  if (sane(date)) return date
  const withoutLastWord = value.replace(/ ?(?:[+-]\d+|[A-Z]{1,10})$/i, ' +0000')
  return [value, withoutLastWord].map((form) => new Date(form)).find(sane)
}

/** What follows the time of day, as an offset. */
function withZone(value: string): string {
  const time = /\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]m\b)?/i.exec(value)
  if (time === null) return `${value} +0000`
  const end = time.index + time[0].length
  const rest = value.slice(end).trim()
  // "10:15:00 2026", as written by `asctime`.
  const year = /^(?:([A-Z]{1,5}) )?(\d{4})(?= |$)/i.exec(rest)
  const zone = year === null ? rest : (year[1] ?? rest.slice(year[0].length).trim())
  const date = year === null ? value.slice(0, end) : `${value.slice(0, end)} ${year[2]}`
  return `${date} ${offsetOf(zone)}`
}

function offsetOf(zone: string): string {
  const offset = /[+-]\d{1,2}:?\d{2}\b|[+-]\d{1,2}\b/.exec(zone)?.[0]
  if (offset !== undefined)
    return offset.length <= 3 ? `${offset[0]}${offset.slice(1).padStart(2, '0')}00` : offset
  const word = /^"?([A-Z]{1,5})\b/i.exec(zone)?.[1]?.toUpperCase() ?? ''
  if (zone.replaceAll('"', '').toUpperCase() !== word) return '+0000'
  return KNOWN_WORDS.test(word) ? word : (OFFSETS.get(word) ?? '+0000')
}

const sane = (date: Date): boolean => date.getTime() >= EARLIEST_DATE && date.getTime() < LATEST_DATE
