import { Temporal } from 'temporal-polyfill'
import { FOLDERS, type Folder } from '#contract/mail/emails.ts'
import {
  addressesOf,
  type Field,
  FIELDS,
  foldText,
  lexeme,
  quotedLexeme,
  termsOf,
} from '../../../formats/mail-text/search-index.ts'

/** The last word typed also matches as a prefix if it has at least this many letters. */
const PREFIX_MIN = 3
/** The most words of one search; further words are ignored. */
const WORDS_MAX = 40
/** … and the most characters of it that are parsed. */
const TYPED_MAX = 10_000

/** Consecutive words, in one field or anywhere. `prefix`: the last of them also matches as a prefix. */
export type Term = { field: Field | null; words: string[]; prefix: boolean }

/** A parsed search. `after` is inclusive, `before` exclusive. */
export type Search = {
  terms: Term[]
  folder: Folder | null
  starred: boolean | null
  unread: boolean | null
  attachments: boolean
  after: Date | null
  before: Date | null
}

type Piece = { operator: string; value: string; quoted: boolean }

// An operator with its value, a "phrase", or a word; an unclosed quotation mark is ignored.
const PIECE = /(?:(?<operator>[a-z]+):)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))|(?<other>\S)/giu

/** An operator whose value has not been typed yet. */
const UNFINISHED = /^(?:from|to|subject|has|is|in|before|after):$/i

/**
 * Parses what somebody typed into the search field: words, "phrases" and operators (`from:`, `to:`, `subject:`,
 * `has:attachment`, `is:read|unread|starred`, `in:folder`, `before:`, `after:`). Anything else is words;
 * nothing is an error. Days are days in `zone`.
 */
export function parseSearch(typed: string, zone: string): Search {
  const search: Search = {
    terms: [],
    folder: null,
    starred: null,
    unread: null,
    attachments: false,
    after: null,
    before: null,
  }
  const pieces = [...typed.slice(0, TYPED_MAX).matchAll(PIECE)].map(pieceOf)
  for (const [index, piece] of pieces.entries()) {
    if (UNFINISHED.test(piece.value) || applyCondition(search, piece, zone)) continue
    addTerm(search, piece, index === pieces.length - 1)
  }
  return search
}

function pieceOf({ groups = {} }: RegExpMatchArray): Piece {
  const { operator = '', phrase, word = '', other } = groups
  return { operator: operator.toLowerCase(), value: phrase ?? other ?? word, quoted: phrase !== undefined }
}

/** Applies an operator that narrows by something other than words; false if it is no such operator. */
function applyCondition(search: Search, { operator, value }: Piece, zone: string): boolean {
  const wanted = value.toLowerCase()
  if (operator === 'has' && /^(?:attachments?|files?)$/.test(wanted)) search.attachments = true
  else if (operator === 'is' && (wanted === 'unread' || wanted === 'read'))
    search.unread = wanted === 'unread'
  else if (operator === 'is' && (wanted === 'starred' || wanted === 'unstarred'))
    search.starred = wanted === 'starred'
  else if (operator === 'in') {
    const folder = folderNamed(wanted)
    if (folder === undefined) return false
    search.folder = folder
  } else if (operator === 'before' || operator === 'after') {
    const at = startOf(wanted, zone)
    if (at === null) return false
    search[operator] = at
  } else return false
  return true
}

function folderNamed(name: string): Folder | undefined {
  return FOLDERS.find(
    (folder) => folder === name || (folder === 'archived' && name === 'archive') || `${name}s` === folder,
  )
}

/** The first instant of a year, month or day; null for anything else. */
function startOf(text: string, zone: string): Date | null {
  const [, year, month = '1', day = '1'] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text) ?? []
  if (year === undefined || Number(year) === 0) return null
  try {
    const date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
    return new Date(date.toZonedDateTime({ timeZone: zone }).epochMilliseconds)
  } catch {
    return null
  }
}

function addTerm(search: Search, { operator, value, quoted }: Piece, isLast: boolean): void {
  const field = operator in FIELDS ? (operator as Field) : null
  // The name of an unknown operator is an ordinary word.
  const text = foldText(field === null && operator !== '' ? `${operator} ${value}` : value)
  const [address] = addressesOf(text)
  const words = address === text ? [address] : termsOf(text)
  const room = WORDS_MAX - search.terms.reduce((sum, term) => sum + term.words.length, 0)
  if (words.length === 0 || room <= 0) return
  const prefix = isLast && !quoted && words.length <= room && (words.at(-1)?.length ?? 0) >= PREFIX_MIN
  search.terms.push({ field, words: words.slice(0, room), prefix })
}

/** The words of a search as a PostgreSQL tsquery in text form; null without words. */
export function searchQuery(userId: number, { terms }: Search): string | null {
  if (terms.length === 0) return null
  return terms
    .map(({ field, words, prefix }) => {
      const row = words.map((word) => quotedLexeme(lexeme(userId, word, field ?? undefined)))
      return `(${row.join(' <-> ')}${prefix ? ':*' : ''})`
    })
    .join(' & ')
}
