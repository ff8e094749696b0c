import { cutText } from '../../platform/text.ts'

/** This much text of a mail is indexed; nobody searches for a word in the middle of a log file. */
export const SEARCHED_TEXT_MAX = 200_000
/** PostgreSQL stores at most 1 MB of lexemes for one mail; these limits stay well below. */
const LEXEMES_MAX = 12_000
const LEXEME_BYTES_MAX = 500_000
/** Terms are compared up to this length. */
const WORD_MAX = 64
/** PostgreSQL stores no position beyond this, and at most this many per lexeme. */
const POSITION_MAX = 16_383
const POSITIONS_EACH_MAX = 200
/** Fields and lines of text are this far apart, so that no phrase spans two. */
const GAP = 10

/** Fields that can be searched separately, and the prefix of their index entries. */
export const FIELDS = { from: 'f', to: 't', subject: 's' } as const
export type Field = keyof typeof FIELDS

/** The parts of a mail that are indexed. */
export type Searchable = {
  fromName: string
  fromAddress: string
  to: string
  subject: string
  text: string
}

// Scripts without blanks between words are indexed character by character; an emoji is a term.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+|\p{Extended_Pictographic}/gu
const PLAIN_WORD = /[a-z0-9]+/g
/**
 * The parts before and after the "@" of an address. Each is matched on a short piece, so that no mail can make it
 * slow.
 */
const LOCAL_PART = /[\p{L}\p{M}\p{N}!#$%&*+/=?^_{|}~.-]+$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?/u
const LOCAL_PART_MAX = 64
const DOMAIN_MAX = 100
const ADDRESSES_MAX = 2000
// oxlint-disable-next-line no-control-regex -- ASCII as a whole
const ASCII = /^[\u0000-\u007f]*$/

const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Text normalized for comparison: lower case, without accents ("Über" and "uber" are equal). */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => FOLDED[letter] ?? letter)
}

/** The terms of a normalized text, in order. */
export function termsOf(folded: string): string[] {
  const found = folded.match(ASCII.test(folded) ? PLAIN_WORD : WORD) ?? []
  return found.map((word) => cutText(word, WORD_MAX))
}

/** The e-mail addresses in a normalized text. */
export function addressesOf(folded: string): string[] {
  const found: string[] = []
  for (
    let at = folded.indexOf('@');
    at >= 0 && found.length < ADDRESSES_MAX;
    at = folded.indexOf('@', at + 1)
  ) {
    const [local] = LOCAL_PART.exec(folded.slice(Math.max(0, at - LOCAL_PART_MAX), at)) ?? []
    const [domain] = DOMAIN.exec(folded.slice(at + 1, at + 1 + DOMAIN_MAX)) ?? []
    if (local !== undefined && domain !== undefined) found.push(`${local}@${domain}`.toWellFormed())
  }
  return found
}

/** A user's index entry: the owner's id first, so that entries of different users never match. */
export function lexeme(userId: number, word: string, field?: Field): string {
  return `${userId}${field === undefined ? '' : FIELDS[field]}:${word}`
}

/** An index entry in the text form of tsvector and tsquery. */
export function quotedLexeme(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** The index entries of a mail with their positions, in the text form of tsvector. */
export function searchVector(userId: number, mail: Searchable): string {
  const places = new Map<string, number[]>()
  let bytes = 0
  let place = 1
  const put = (text: string, at: number) => {
    const known = places.get(text)
    if (known !== undefined) {
      if (known.length < POSITIONS_EACH_MAX && at <= POSITION_MAX) known.push(at)
      return
    }
    if (places.size >= LEXEMES_MAX || bytes > LEXEME_BYTES_MAX) return
    bytes += text.length * 3
    places.set(text, [Math.min(at, POSITION_MAX)])
  }
  const add = (text: string, field?: Field) => {
    const folded = foldText(text)
    for (const address of addressesOf(folded)) {
      put(lexeme(userId, address), place)
      if (field !== undefined) put(lexeme(userId, address, field), place)
    }
    for (const word of termsOf(folded)) {
      put(lexeme(userId, word), place)
      if (field !== undefined) put(lexeme(userId, word, field), place)
      place += 1
    }
    place += GAP
  }
  add(mail.fromName, 'from')
  add(mail.fromAddress, 'from')
  add(mail.to, 'to')
  add(mail.subject, 'subject')
  add(cutText(mail.text, SEARCHED_TEXT_MAX))
  return [...places].map(([text, at]) => `${quotedLexeme(text)}:${at.join(',')}`).join(' ')
}
