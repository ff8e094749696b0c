/** A server's reply is shown to the user and stored with the mail: long enough to understand, never a flood. */
export const MAX_FAR_WORDS = 500

/** A server's reply made fit to show: one line, no control or direction characters, MAX_FAR_WORDS at most. */
export function farWords(words: unknown): string {
  const text = words instanceof Error ? words.message : typeof words === 'string' ? words : ''
  return text
    .slice(0, MAX_FAR_WORDS * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_FAR_WORDS)
}
