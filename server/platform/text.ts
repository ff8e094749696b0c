/** Text that PostgreSQL accepts: no NUL, no lone surrogates. */
export function cleanText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

// oxlint-disable-next-line no-control-regex -- controls are what is folded
const LINE_BREAKERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/**
 * Clean text on one line: line breaks, tabs and other control characters become one blank, so no header can be
 * injected.
 */
export function oneLine(text: string): string {
  return cleanText(text).replace(LINE_BREAKERS, ' ').trim()
}

/** At most `limit` UTF-16 units, never ending with half a character. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\ufffd$/, '')
}

/** True if there is a letter or digit of any script. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * A pattern for whole words, in any script: `\\b` and `\\w` only know ASCII letters.
 *
 * @param phrases sources of regular expressions, each of one or more words
 * @param flags any case by default; with thousands of words V8 compiles a pattern for one case much faster
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
