/**
 * A spreadsheet runs what begins with one of these, some also with their full-width forms (U+FF1D and the like), which
 * Japanese and Chinese keyboards type. The export puts an apostrophe before it, and before an apostrophe
 * that somebody typed, so that the import can take exactly its own apostrophe off again.
 */
const NEEDS_ESCAPE = /^['=+\-@＝＋－＠\t\r]/
const ESCAPED = /^'['=+\-@＝＋－＠\t\r]/

/** A value as the export writes it. */
export function escapeFormula(value: string): string {
  return NEEDS_ESCAPE.test(value) ? `'${value}` : value
}

/** The value that `escapeFormula` was given. */
export function unescapeFormula(value: string): string {
  return ESCAPED.test(value) ? value.slice(1) : value
}
