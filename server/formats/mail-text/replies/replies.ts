import { attributionFinder } from './attributions.ts'
import { originalFinder } from './quoted-headers.ts'
import { isDeviceLine, isSignatureSeparator, withoutClosing } from './signatures.ts'
import { hasWords } from '../../../platform/text.ts'

/** A reply longer than this is not read to its end for its new words. */
const MAX_TEXT_CHARS = 200_000
/** What mail programs draw above an original. */
const RULE = /^[_*=-]{10,}$/

/**
 * What the sender wrote himself: quotes, the original below, signatures and "Sent from my …" off. Never empty when the text
 * has words: then all comes back that is not quoted; where that only says who wrote the quote, the whole text.
 */
export function newWords(text: string): string {
  if (text.length > MAX_TEXT_CHARS) return newWordsOfLong(text)
  const own = ownWords(text)
  if (own !== '' || !hasWords(text)) return own
  const unquoted = unquotedLines(text)
  return unquoted.says ? unquoted.words : text.trim()
}

/**
 * Of a text that is not read to its end: what is behind the beginning is the sender's own, but for lines that are marked as
 * quoted, and unless the mail that is answered begins before it.
 */
function newWordsOfLong(text: string): string {
  const lineEnd = text.lastIndexOf('\n', MAX_TEXT_CHARS - 1)
  const end = lineEnd > 0 ? lineEnd : MAX_TEXT_CHARS
  const [beginning, rest] = [text.slice(0, end), text.slice(end)]
  const own = newWords(beginning)
  if (own === beginning.trim() && !/^\s{0,3}[>|｜]/mu.test(rest)) return text.trim()
  if (readOwnLines(beginning).isAboveOriginal) return own
  const unread = rest.split('\n').filter((line) => !isQuoted(line))
  return `${own}${unread.join('\n')}`.trim()
}

/** {@link newWords} where there are any; empty where the text holds only what others wrote. */
export function ownWords(text: string): string {
  const own = withoutQuoted(beginningOf(text))
  return [withoutClosing(own), own].find(hasWords)?.trim() ?? ''
}

const beginningOf = (text: string): string =>
  text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text

/**
 * Quotes and the original below off, by one linear pass over the lines; may leave nothing.
 *
 * @param enough nobody reads on when so many characters are kept
 */
export function withoutQuoted(text: string, enough = Infinity): string {
  return readOwnLines(text, enough).words
}

/** {@link withoutQuoted}, and whether it ended where an original begins: all below is old. */
function readOwnLines(text: string, enough = Infinity): { words: string; isAboveOriginal: boolean } {
  const mail = linesOf(text)
  const kept: string[] = []
  let written = 0
  let saysSomething = false
  let isAboveOriginal = false
  for (let at = 0; at < mail.lines.length && written < enough; at += 1) {
    const line = mail.lines[at] ?? ''
    if (mail.isBlank(at)) {
      kept.push('')
      continue
    }
    if (isQuoted(line)) continue
    if (mail.startsOriginal(at)) {
      isAboveOriginal = true
      break
    }
    const attribution = mail.attribution(at)
    if (attribution > 0) {
      // An unmarked original follows: everything below is old. Marked quotes are dropped line by line,
      // so that answers between them stay.
      if (!mail.followsQuote(at + attribution)) {
        isAboveOriginal = true
        break
      }
      at += attribution - 1
      continue
    }
    if (saysSomething && isSignatureSeparator(line)) {
      at = endOfSignature(mail, at)
      continue
    }
    if (isDeviceLine(line, mail.isBlank(at - 1) && mail.isBlank(at + 1))) continue
    kept.push((mail.given[at] ?? '').trimEnd())
    written += line.trim().length
    saysSomething ||= hasWords(line)
  }
  while (kept.length > 0 && isRuleOrBlank(kept.at(-1) ?? '')) kept.pop()
  const words = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return { words, isAboveOriginal }
}

/** The lines of a text, and what has to be known of those around one. */
type MailLines = {
  /** As they are compared: composed (NFC), for some programs write letter and accent apart. */
  lines: readonly string[]
  /** As they came. */
  given: readonly string[]
  /** Also where there is no such line. */
  isBlank: (at: number) => boolean
  /** Whether the next line that is not blank, from one on, is quoted. */
  followsQuote: (from: number) => boolean
  /** Over how many lines an attribution runs from here; 0 for none. */
  attribution: (at: number) => number
  /** Whether what is answered begins here, with its header lines or below a separator. */
  startsOriginal: (at: number) => boolean
}

function linesOf(text: string): MailLines {
  const clean = text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ')
  const composed = clean.normalize('NFC')
  const lines = composed.split('\n')
  // Looked up once for all lines: blank ones may come by the thousand.
  const nextFilled = new Uint32Array(lines.length + 1).fill(lines.length)
  for (let at = lines.length - 1; at >= 0; at -= 1)
    nextFilled[at] = (lines[at] ?? '').trim() === '' ? (nextFilled[at + 1] ?? 0) : at
  const followsQuote = (from: number) => isQuoted(lines[nextFilled[from] ?? lines.length] ?? '')
  return {
    lines,
    given: composed === clean ? lines : clean.split('\n'),
    isBlank: (at) => at < 0 || nextFilled[at] !== at || at >= lines.length,
    followsQuote,
    attribution: attributionFinder(lines, isQuoted, followsQuote),
    startsOriginal: originalFinder(lines),
  }
}

/** The last line of a signature that is separated at `at`. A quote may follow it, and words after that. */
function endOfSignature({ lines, attribution, startsOriginal }: MailLines, at: number): number {
  let end = at
  while (
    end + 1 < lines.length &&
    !isQuoted(lines[end + 1] ?? '') &&
    attribution(end + 1) === 0 &&
    !startsOriginal(end + 1)
  )
    end += 1
  return end
}

/** A line with ">" before it; one between "|" on both sides is a row of a table. */
function isQuoted(line: string): boolean {
  if (!/^\s{0,3}[>|｜]/u.test(line)) return false
  const trimmed = line.trim()
  return !(trimmed.startsWith('|') && trimmed.length > 1 && trimmed.endsWith('|'))
}

function isRuleOrBlank(line: string): boolean {
  const trimmed = line.trim()
  return trimmed === '' || RULE.test(trimmed)
}

/** All that is not quoted, and whether it says more than who wrote the quote. */
function unquotedLines(text: string): { words: string; says: boolean } {
  const { lines, attribution } = linesOf(text)
  let attributed = 0
  let says = false
  const kept = lines.filter((line, at) => {
    if (isQuoted(line)) return false
    attributed = Math.max(attributed - 1, attribution(at))
    says ||= attributed === 0 && hasWords(line)
    return true
  })
  return { words: kept.join('\n').trim(), says }
}
