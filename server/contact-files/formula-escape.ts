/**
 * Spreadsheets run what begins with one of these characters, some also with the full-width forms (U+FF1D and the
 * like) typed on Japanese and Chinese keyboards. The export puts an apostrophe before it, and before an apostrophe
 * that somebody typed, so that the import can remove exactly its own apostrophe.
 */
const NEEDS_ESCAPE = /^['=+\-@＝＋－＠\t\r]/
const ESCAPED = /^'['=+\-@＝＋－＠\t\r]/

/** A value as the export writes it. */
export function escapeFormula(value: string): string {
  return NEEDS_ESCAPE.test(value) ? `'${value}` : value
}

/** The value that was given to `escapeFormula`. */
export function unescapeFormula(value: string): string {
  return ESCAPED.test(value) ? value.slice(1) : value
}
