import { addressesOf, foldText, lexeme, quotedLexeme, termsOf } from '../../formats/mail-text/search-index.ts'

/** Only this much of a contact's notes is indexed. */
const NOTES_MAX = 20_000
const LEXEMES_MAX = 4000
/** Terms of one search at most; more would hardly narrow it. */
const TERMS_MAX = 20
/** The end of an address, or a name as networks write it: "@north.example", "@anas_bakery". */
const AT_NAME = /@[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,98}[\p{L}\p{M}\p{N}_])?/gu
/** What surrounds an address that was copied from a mail: "Bea" <bea@north.example>, */
const AROUND = /^[<("'[,;:]+|[>)"'\],;:]+$/g
/** The end of a telephone number finds it from this many digits on. */
const DIGITS_MIN = 4
/** A letter that no entry contains: a search for it finds nothing. */
const NOWHERE = '\u0001'

export type Indexable = {
  name: string
  email: string
  company: string
  position: string
  phone: string
  notes: string
}

/** The index entries of a contact in the text form of tsvector; each begins with its owner's id. */
export function contactVector(userId: number, contact: Indexable): string {
  const words = new Set<string>()
  const { name, email, company, position, phone, notes } = contact
  for (const text of [email, name, company, position, phone, notes.slice(0, NOTES_MAX)])
    for (const word of wordsOf(foldText(text))) if (words.size < LEXEMES_MAX) words.add(word)
  const digits = phone.replaceAll(/\D/g, '')
  for (let at = 0; at + DIGITS_MIN <= digits.length; at++) words.add(digits.slice(at))
  return [...words].map((word) => quotedLexeme(lexeme(userId, word))).join(' ')
}

function wordsOf(folded: string): string[] {
  const withAt = folded.includes('@') ? [...addressesOf(folded), ...(folded.match(AT_NAME) ?? [])] : []
  return [...withAt, ...termsOf(folded)]
}

/** The terms of a search; each must begin an entry of the contact. An address, or its end, is one term. */
export function searchTerms(typed: string): string[] {
  const words = foldText(typed)
    .split(/\s+/)
    .flatMap((piece) => {
      const address = piece.replaceAll(AROUND, '')
      if (/^[^@]*@[^@]*$/.test(address) && address.length > 1) return [address]
      // Telephone numbers are written with all kinds of characters between the digits.
      return /^\+?[\d()/.-]+$/.test(piece) ? [piece.replaceAll(/\D/g, '')] : termsOf(piece)
    })
    .filter((word) => word !== '')
  return [...new Set(words)].slice(0, TERMS_MAX)
}

/** The terms of a search, each in the text form of tsquery; a text without terms gives one that finds nothing. */
export function contactQueries(userId: number, typed: string): string[] {
  const words = searchTerms(typed)
  return (words.length === 0 ? [NOWHERE] : words).map((word) => `${quotedLexeme(lexeme(userId, word))}:*`)
}
