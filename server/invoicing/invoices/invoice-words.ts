import { addressesOf, foldText, lexeme, quotedLexeme, termsOf } from '../../formats/mail-text/search-index.ts'

/** Words of one document at most, and terms of one search; more would hardly narrow it. */
const WORDS_MAX = 500
const TERMS_MAX = 20
/** A letter that no document contains: a search for it finds nothing. */
const NOWHERE = '\u0001'

/**
 * The words of a document in the text form of tsvector; each begins with its owner's id. The count of a number is a word of
 * its own, with and without leading zeros: 42 finds INV-2026-0042.
 */
export function invoiceVector(userId: number, search: string): string {
  const folded = foldText(search)
  const words = new Set<string>()
  for (const address of addressesOf(folded)) words.add(address).add(address.slice(address.indexOf('@')))
  for (const word of termsOf(folded)) {
    words.add(word)
    for (const [digits] of word.matchAll(/\d+/g)) words.add(digits).add(digits.replace(/^0+(?=\d)/, ''))
  }
  return [...words]
    .slice(0, WORDS_MAX)
    .map((word) => quotedLexeme(lexeme(userId, word)))
    .join(' ')
}

/** The terms of a search; each must begin a word of the document. An address, or its end, is one term. */
export function searchTerms(typed: string): string[] {
  const terms = foldText(typed)
    .split(/\s+/)
    .flatMap((piece) => (/^[^@]*@[^@]+$/.test(piece) ? [piece] : termsOf(piece)))
  return [...new Set(terms)].slice(0, TERMS_MAX)
}

/** The terms, each in the text form of tsquery; without any, one that finds nothing. */
export function invoiceQueries(userId: number, terms: readonly string[]): string[] {
  return (terms.length === 0 ? [NOWHERE] : terms).map((term) => `${quotedLexeme(lexeme(userId, term))}:*`)
}
