import { UNSEEN } from './seen-text.ts'

/** Characters of a name, a subject or the like that are shown. */
const SHORT_MAX = 160

/**
 * Words that somebody else wrote, fit for one line of an answer: what a person does not see is taken out, and nothing in
 * them is a mark of a source, a link or HTML.
 */
export function shownWords(text: string, max = SHORT_MAX): string {
  const plain = text
    .slice(0, max * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(/\[(\d+)\]/g, '($1)')
    .replaceAll('](', '] (')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('`', "'")
    .trim()
    .toWellFormed()
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).trimEnd()}…`
}

/** Several lines of such words, for a language model and for summaries. */
export function shownText(text: string, max: number): string {
  const lines = text
    .slice(0, max * 4)
    .split('\n')
    .map((line) => shownWords(line, max))
  const joined = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return joined.length <= max ? joined : `${joined.slice(0, max - 1).trimEnd()}…`
}
