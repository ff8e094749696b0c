/**
 * A spreadsheet runs what begins with one of these, some also with their full-width forms (U+FF1D and the like), which
 * Japanese and Chinese keyboards type. The export puts an apostrophe before it, and before an apostrophe
 * that somebody typed, so that the import can take exactly its own apostrophe off again. What stands behind a semicolon, a
 * tab or a line break would be a cell of its own to a spreadsheet that takes these for the end of one.
 */
const NEEDS_ESCAPE = /^['=+\-@＝＋－＠\t\r]/
const ESCAPED = /^'['=+\-@＝＋－＠\t\r]/
const INNER_NEEDS_ESCAPE = /([;\t\r\n])(?=['=+\-@＝＋－＠])/g
const INNER_ESCAPED = /([;\t\r\n])'(?=['=+\-@＝＋－＠])/g

/** A value as the export writes it. */
export function escapeFormula(value: string): string {
  const inner = value.replaceAll(INNER_NEEDS_ESCAPE, "$1'")
  return NEEDS_ESCAPE.test(inner) ? `'${inner}` : inner
}

/** The value that was given to `escapeFormula`. */
export function unescapeFormula(value: string): string {
  const inner = ESCAPED.test(value) ? value.slice(1) : value
  return inner.replaceAll(INNER_ESCAPED, '$1')
}

/** Whether a value is quoted where commas divide: a spreadsheet may take other signs for the end of a cell. */
export function needsQuotes(value: string): boolean {
  return /[;\t\r]/.test(value)
}
