/** Replaces a parenthesis that opens no comment, where the library would take it for one. */
const OPEN_PARENTHESIS = '\ue028'

/**
 * Prepares an address header so that the library finds every address (RFC 5322 3.2.2, 4.4). Comments within angle
 * brackets and within an address are removed, nested comments are flattened, and blanks around the dots of an address
 * are removed. A parenthesis that is never closed is replaced until `withOpenParentheses`. Linear in its length.
 */
export function withPlainComments(header: string): string {
  if (!/\(|\s[.@]|[.@]\s/.test(header)) return header
  const plain = new Changed(header)
  let last = ''
  let isQuoted = false
  let inBrackets = false
  // After the "@" of an address without brackets.
  let inDomain = false
  let mayComment = true
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    if (isQuoted && char === '\\') at += 1
    else if (char === '"' && (isQuoted || header.includes('"', at + 1))) isQuoted = !isQuoted
    else if (!isQuoted && char === '(') {
      const end: number = mayComment ? endOfComment(header, at) : -1
      mayComment = end >= 0
      if (end < 0) {
        const from = at
        while (header.charAt(at + 1) === '(') at += 1
        plain.replace(from, at + 1, OPEN_PARENTHESIS.repeat(at + 1 - from))
        last = ')'
        continue
      }
      const isOwn = !inBrackets && !isWithinAddress(last, header, end)
      plain.replace(at, end + 1, isOwn ? flatComment(header.slice(at + 1, end)) : '')
      at = end
      if (isOwn) last = ')'
      continue
    } else if (!isQuoted && isBlank(char) && (inBrackets || inDomain) && besideDot(last, header, at)) {
      plain.replace(at, at + 1, '')
      continue
    } else if (!isQuoted) {
      if (char === '<' || char === '>') inBrackets = char === '<'
      if (',;:<>'.includes(char)) inDomain = false
      else if (char === '@') inDomain = !inBrackets
    }
    last = char
  }
  return plain.text()
}

/** Puts back the parentheses that open no comment. */
export const withOpenParentheses = (text: string): string =>
  text.replace(/\ue028+/g, (run) => '('.repeat(run.length))

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
function endOfComment(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (char === '(') depth += 1
    else if (char === ')' && (depth -= 1) === 0) return at
  }
  return -1
}

/** A comment without nested comments; their text stays. */
const flatComment = (words: string): string => `(${words.replace(/[()\\]/g, ' ').trim()})`

/** "pete(his account)@…": between the parts of an address. */
function isWithinAddress(last: string, header: string, end: number): boolean {
  const next = /^\s{0,20}[.@]/.test(header.slice(end + 1, end + 22))
  return (next && /\S/.test(last)) || last === '.' || last === '@'
}

const isBlank = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n'

function besideDot(last: string, header: string, at: number): boolean {
  return last === '.' || last === '@' || /^\s{1,40}[.@]/.test(header.slice(at, at + 41))
}
