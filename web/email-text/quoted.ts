/**
 * What stands below the new words of a mail: what it answers, signatures. Empty where all of it is new. Where the new
 * words stand between quoted lines, it is the whole text, because they mean little without.
 */
export function quotedPart(text: string, newWords: string): string {
  const whole = plain(text)
  const own = plain(newWords)
  if (own === '' || own === whole) return ''
  return whole.startsWith(own) ? whole.slice(own.length).trim() : whole
}

const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\u00A0', ' ').trim()
