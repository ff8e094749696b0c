/**
 * One expression for a list of phrases, a phrase a line, each the source of a regular expression; letter case is left
 * aside. `before` and `after` stand around them all.
 */
export const anyOf = (phrases: string, before = '', after = ''): RegExp =>
  new RegExp(`${before}(?:${phrases.trim().split(/\n\s*/).join('|')})${after}`, 'iu')
