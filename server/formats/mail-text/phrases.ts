/**
 * One regular expression from a list of phrases, one per line, each the source of a regular expression; case is
 * ignored. `before` and `after` surround the whole list.
 */
export const anyOf = (phrases: string, before = '', after = ''): RegExp =>
  new RegExp(`${before}(?:${phrases.trim().split(/\n\s*/).join('|')})${after}`, 'iu')
