import { hasWords, wholeWords } from '../../../platform/text.ts'

/** An attribution ("On … wrote:") may be wrapped over this many lines. */
const MAX_LINES = 4
const MAX_CHARS = 400
/** Hardly any line ends with a colon; with more lines that may end an attribution, no person wrote the text. */
const MAX_CANDIDATES = 1_000
/** "Ada Muster wrote:" without a date or an address has at most this many words. */
const MAX_BARE_WORDS = 5
/** "Zitat von Ada Muster <ada@muster.example>:" has no verb. */
const MAX_VERBLESS_WORDS = 8

/** Verbs of attribution in the languages of mail programs. */
const VERB = wholeWords([
  'wrote|writes',
  'schrieb(?:en)?|geschrieben',
  'a écrit|écrit',
  'escribió|va escriure',
  'ha scritto|scrisse',
  'escreveu',
  'schreef|geschreven',
  'skrev|følgende',
  'kirjoitti',
  'napisał(?:\\(a\\)|a)?|pisze|wiadomość napisana przez',
  'napsal(?:\\(a\\)|a)?|napísal(?:\\(a\\)|a)?|píše',
  'írta',
  'a scris',
  'napisao(?:/la)?|napisala|je napisao',
  'написал(?:\\(а\\)|а)?|писал(?:\\(а\\)|а)?|пишет|пише|написав|написала?|написа|напиша',
  'έγραψε',
  'yazdı',
  'đã viết',
  'menulis',
  'เขียนว่า',
  'כתב(?:/ה)?|מאת',
  'كتب|كتبت|تمت كتابة',
])
/** Scripts without blanks between words. */
const VERB_INSIDE = /写道|寫道|撰写|のメッセージ|のメール|さんは書きました|작성|님이 씀/u

const DAY_FIRST =
  'on|am|le|el|il(?: giorno)?|in data|em|no dia|a|op|den|dana|dne|dňa|dnia|w dniu|pe|în|la|ma|ti|ke|to|su|på|στις|στη|vào(?: lúc)?|lúc|pada(?: tanggal)?|на|в|у|в[ое]|เมื่อ|בתאריך|ב-|في|在|於|于'
const STARTS = [
  // "On Tue, 3 Mar 2026", "Στις Τρί 3 Μαρ"
  new RegExp(`^(?:${DAY_FIRST})[\\s,]\\D{0,30}\\p{Nd}`, 'iu'),
  // "3 марта 2026", "2026年3月3日"
  /^\p{Nd}{1,4}(?:[\s./:年월-]|년)/u,
  // "wt., 3 mar 2026", "Вторник, 3 марта", "Tuesday, March 3"
  /^\p{L}{2,14}[.,]{0,2}\s(?:\p{L}{3,14}\.?\s)?\p{Nd}{1,2}(?!\p{Nd})/u,
  // "Ada Muster <ada@muster.example>"
  /^["'«“‹]?\p{L}[^<>()[\]]{0,90}[<([][^<>()[\]\s]{1,200}@/u,
  /^["'«“‹]?[<([][^<>()[\]\s]{1,200}@/u,
]

const ADDRESS = /[<([](?:mailto:)?[^<>()[\]\s]{1,200}@[^<>()[\]\s]{1,200}[>)\]]/u
const YEAR = /(?<!\p{Nd})\p{Nd}{4}(?!\p{Nd})/u
const DATE = /(?<!\p{Nd})\p{Nd}{1,4}\s?[./-]\s?\p{Nd}{1,2}\s?[./-]\s?\p{Nd}{2,4}(?!\p{Nd})/u
const CLOCK = /(?<!\p{Nd})\p{Nd}{1,2}\s?[:.h時时]\s?\p{Nd}{2}(?!\p{Nd})/u
/** A day without its year: enough if a quote follows. */
const DAY = /(?<!\p{Nd})\p{Nd}{1,2}(?!\p{Nd})/u

// Direction marks that programs put around names and addresses in Hebrew and Arabic.
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const LAST_COLON = /[:：][\s\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u
const MAX_END_CHARS = 10

/**
 * Asks of a line over how many lines an attribution runs that starts there ("On … wrote:", "Am … schrieb …:"); 0 for none.
 *
 * @param lines composed (NFC)
 * @param isQuoted whether a line is marked as quoted
 * @param followsQuote whether the next line with words, from one on, is
 */
export function attributionFinder(
  lines: readonly string[],
  isQuoted: (line: string) => boolean,
  followsQuote: (from: number) => boolean,
): (at: number) => number {
  const endsWithColon = new Uint8Array(lines.length)
  for (const [at, line] of lines.entries())
    if (LAST_COLON.test(line.length > MAX_END_CHARS ? line.slice(-MAX_END_CHARS) : line))
      endsWithColon[at] = 1
  const found = new Map<number, number>()
  let asked = 0
  const lengthAt = (at: number): number => {
    let joined = ''
    for (let length = 1; length <= MAX_LINES; length += 1) {
      const line = plain(lines[at + length - 1] ?? '')
      if (line === '' || isQuoted(line)) return 0
      joined = joined === '' ? line : joined.endsWith('<') ? joined + line : `${joined} ${line}`
      if (joined.length > MAX_CHARS) return 0
      if (endsWithColon[at + length - 1] !== 1) continue
      const quoteFollows = followsQuote(at + length)
      if (!isAttribution(joined, length, quoteFollows)) continue
      return length > 1 && startsLater(lines, at, length, quoteFollows) ? 0 : length
    }
    return 0
  }
  return (at) => {
    if (!mayEndSoon(endsWithColon, at) || (lines[at] ?? '').length > 2 * MAX_CHARS) return 0
    const known = found.get(at)
    if (known !== undefined) return known
    if (asked === MAX_CANDIDATES) return 0
    asked += 1
    const length = lengthAt(at)
    found.set(at, length)
    return length
  }
}

function mayEndSoon(endsWithColon: Uint8Array, at: number): boolean {
  for (let next = at; next < at + MAX_LINES; next += 1) if (endsWithColon[next] === 1) return true
  return false
}

const plain = (line: string): string => line.replace(DIRECTIONS, '').trim()

function isAttribution(words: string, lines: number, quoteFollows: boolean): boolean {
  const says = VERB.test(words) || VERB_INSIDE.test(words)
  const isNamed = ADDRESS.test(words)
  const isDated = YEAR.test(words) || DATE.test(words)
  const isTimed = CLOCK.test(words)
  if (STARTS.some((start) => start.test(words))) {
    if (isNamed && (says || isDated || isTimed)) return true
    if (says && isDated && isTimed) return true
    if (quoteFollows && says && (isDated || DAY.test(words))) return true
  }
  if (!quoteFollows || lines > 1) return false
  // "Ada Muster wrote:", "Ada schrieb am 3.3.2026 um 10:00:", "Zitat von Ada Muster <ada@muster.example>:"
  if (says) return (isDated && isTimed) || isShort(words, MAX_BARE_WORDS)
  return (isNamed || (isDated && isTimed)) && isShort(words, MAX_VERBLESS_WORDS)
}

const isShort = (words: string, most: number): boolean =>
  words.split(/\s+/).filter(hasWords).length <= most && !/[!?;]|\p{L}{3}\.\s/u.test(words)

/** Whether the first of the lines is somebody's own, and the attribution starts below it. */
function startsLater(lines: readonly string[], at: number, length: number, quoteFollows: boolean): boolean {
  const first = plain(lines[at] ?? '')
  const saysWhen = YEAR.test(first) || DATE.test(first) || CLOCK.test(first)
  if (!saysWhen && !first.includes('<') && !first.includes('@')) return true
  for (let skipped = 1; skipped < length; skipped += 1) {
    const rest = lines
      .slice(at + skipped, at + length)
      .map(plain)
      .join(' ')
    if ((YEAR.test(rest) || DATE.test(rest)) && isAttribution(rest, length - skipped, quoteFollows))
      return true
  }
  return false
}
