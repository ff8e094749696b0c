/**
 * The part of a mail below its new text: quotes and signatures. Empty if all of it is new. If the new text is between
 * quoted lines, returns the whole text, because the answers mean little without the quotes.
 */
export function quotedPart(text: string, newWords: string): string {
  const whole = plain(text)
  const own = plain(newWords)
  if (own === '' || own === whole) return ''
  return whole.startsWith(own) ? whole.slice(own.length).trim() : whole
}

const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\u00A0', ' ').trim()
