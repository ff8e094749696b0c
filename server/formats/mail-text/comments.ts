/** The ids of a header without comments (RFC 5322 4.5.4); parentheses in the left part of an id belong to it. */
export function withoutComments(header: string): string {
  if (!header.includes('(')) return header
  const plain = new Changed(header)
  let last = ''
  // In brackets: before the "@" of an id, or after it.
  let place: 'outside' | 'left' | 'right' = 'outside'
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    if (char === '(' && (place === 'right' || (place === 'outside' && /^[\s>,]?$/.test(last)))) {
      const end = endOfComment(header, at)
      // Unclosed to the end of the header, and so are those inside it.
      if (end < 0) break
      plain.replace(at, end + 1, '')
      at = end
      continue
    }
    if (char === '<') place = 'left'
    else if (char === '>') place = 'outside'
    else if (char === '@' && place === 'left') place = 'right'
    last = char
  }
  return plain.text()
}

/** A text in which pieces are replaced from start to end; the rest is copied in as few pieces as possible. */
class Changed {
  readonly #original: string
  readonly #pieces: string[] = []
  #copied = 0

  constructor(original: string) {
    this.#original = original
  }

  replace(from: number, to: number, by: string): void {
    if (from > this.#copied) this.#pieces.push(this.#original.slice(this.#copied, from))
    if (by !== '') this.#pieces.push(by)
    this.#copied = to
  }

  text(): string {
    return this.#pieces.join('') + this.#original.slice(this.#copied)
  }
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
