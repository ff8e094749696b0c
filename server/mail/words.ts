/** Text that PostgreSQL takes: no NUL, no lone surrogates. */
export function cleanText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

// oxlint-disable-next-line no-control-regex -- controls are what is folded
const LINE_BREAKERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** Clean text on one line: line breaks, tabs and other controls become one blank, so no header can be smuggled in. */
export function oneLine(text: string): string {
  return cleanText(text).replace(LINE_BREAKERS, ' ').trim()
}

/** At most `limit` UTF-16 units, never ending in half a character. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\ufffd$/, '')
}

/** True when there is a letter or digit of any script. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * A pattern for whole words, in any script: `\\b` and `\\w` know no letter outside of ASCII.
 *
 * @param phrases sources of regular expressions, each of one or more words
 * @param flags in any case unless they say otherwise: of thousands of words V8 is much sooner ready for one case alone
 */
export function wholeWords(phrases: readonly string[], flags: 'iu' | 'u' = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{M}\\p{N}])`, flags)
}

/** HTML up to its `limit`th "<": parsers slow down on markup that nests without end. */
export function cutTags(html: string, limit: number): string {
  let at = -1
  for (let tags = 0; tags <= limit; tags += 1) {
    at = html.indexOf('<', at + 1)
    if (at < 0) return html
  }
  return html.slice(0, at)
}
