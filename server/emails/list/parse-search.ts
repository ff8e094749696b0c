import { Temporal } from 'temporal-polyfill'
import { FOLDERS, type Folder } from '#contract/emails.ts'
import {
  addressesOf,
  type Field,
  FIELDS,
  foldText,
  lexeme,
  quotedLexeme,
  wordsOf,
} from '../../mail/search-words.ts'

/** A word of fewer letters is looked for as it stands; of more, the last one typed also stands for what begins so. */
const PREFIX_MIN = 3
/** Words of one search at most; what goes beyond says little more. */
const WORDS_MAX = 40
/** … and characters that are looked at for them. */
const TYPED_MAX = 10_000

/** Words in a row, in one field or anywhere. `prefix`: the last of them may go on. */
export type Term = { field: Field | null; words: string[]; prefix: boolean }

/** What somebody looks for. Times are instants: `after` counts from it on, `before` up to it. */
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

// An operator with its value, a "phrase", or a word; a quotation mark that is never closed opens nothing.
const PIECE = /(?:(?<operator>[a-z]+):)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))|(?<stray>\S)/giu

/** An operator whose value is still to be typed. */
const UNFINISHED = /^(?:from|to|subject|has|is|in|before|after):$/i

/**
 * Reads what somebody typed into the search field: words, "phrases" and operators (`from:`, `to:`, `subject:`,
 * `has:attachment`, `is:read|unread|starred`, `in:folder`, `before:`, `after:`). Whatever is no operator is words;
 * nothing is an error. Days are those of `zone`.
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
    if (UNFINISHED.test(piece.value) || takeCondition(search, piece, zone)) continue
    addTerm(search, piece, index === pieces.length - 1)
  }
  return search
}

function pieceOf({ groups = {} }: RegExpMatchArray): Piece {
  const { operator = '', phrase, word = '', stray } = groups
  return { operator: operator.toLowerCase(), value: phrase ?? stray ?? word, quoted: phrase !== undefined }
}

/** Takes an operator that narrows by something else than words; false where it is none. */
function takeCondition(search: Search, { operator, value }: Piece, zone: string): boolean {
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

/** The first instant of a year, month or day; null for what is none. */
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
  // Of an operator that we do not know the name is a word like any other.
  const text = foldText(field === null && operator !== '' ? `${operator} ${value}` : value)
  const [address] = addressesOf(text)
  const words = address === text ? [address] : wordsOf(text)
  const room = WORDS_MAX - search.terms.reduce((sum, term) => sum + term.words.length, 0)
  if (words.length === 0 || room <= 0) return
  const prefix = isLast && !quoted && words.length <= room && (words.at(-1)?.length ?? 0) >= PREFIX_MIN
  search.terms.push({ field, words: words.slice(0, room), prefix })
}

/** The words of a search in the text form of PostgreSQL's tsquery; null where there are none. */
export function searchQuery(userId: number, { terms }: Search): string | null {
  if (terms.length === 0) return null
  return terms
    .map(({ field, words, prefix }) => {
      const row = words.map((word) => quotedLexeme(lexeme(userId, word, field ?? undefined)))
      return `(${row.join(' <-> ')}${prefix ? ':*' : ''})`
    })
    .join(' & ')
}
