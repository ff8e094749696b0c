/** The ids of a header without comments (RFC 5322 4.5.4); parentheses in the left part of an id belong to it. */
export function withoutComments(header: string): string {
  if (!header.includes('(')) return header
  const kept: string[] = []
  let copied = 0
  let last = ''
  // In brackets: before the "@" of an id, or after it.
  let place: 'outside' | 'left' | 'right' = 'outside'
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    if (char === '(' && (place === 'right' || (place === 'outside' && /^[\s>,]?$/.test(last)))) {
      const end = endOfComment(header, at)
      // Unclosed to the end of the header, and so are those inside it.
      if (end < 0) break
      kept.push(header.slice(copied, at))
      copied = end + 1
      at = end
      continue
    }
    if (char === '<') place = 'left'
    else if (char === '>') place = 'outside'
    else if (char === '@' && place === 'left') place = 'right'
    last = char
  }
  return kept.join('') + header.slice(copied)
}

/**
 * The end of the comment that begins at `start`; -1 if there is none. Comments nest, and a backslash escapes any
 * character.
 */
export function endOfComment(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (char === '(') depth += 1
    else if (char === ')' && (depth -= 1) === 0) return at
  }
  return -1
}
