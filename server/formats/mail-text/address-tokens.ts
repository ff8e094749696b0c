import { endOfComment } from './comments.ts'

/** A piece of an address header (RFC 5322 3.2). */
export type AddressToken = {
  /** `encoded`: an encoded word (RFC 2047), never part of an address · `special`: one of `<>,;:` */
  kind: 'word' | 'encoded' | 'quoted' | 'comment' | 'special'
  /** Without quotes, parentheses and the backslashes of escapes; an encoded word as it is. */
  text: string
  /** Blanks are before it. */
  isApart: boolean
}

const BLANKS = /\s+/y
/** Mail programs forget to encode commas, quotes and brackets within one: it is one piece all the same. */
const ENCODED_WORD = /=\?[^?\s]{1,80}\?[bq]\?[^?\s]*\?=/iy
/** A domain may be a literal with colons: "[IPv6:::1]". */
const WORD = /(?:[^\s"(<>,;:[]|\[[^\s<>[\]]*\]|\[)+/y

/**
 * The pieces of an address header. Nothing is decoded: structure comes only from what the header itself says (RFC 2047
 * 5). A quote or parenthesis that is never closed is a character like others. Linear in its length.
 */
export function addressTokens(header: string): AddressToken[] {
  const found: AddressToken[] = []
  let isApart = false
  // Once one is not closed, none after it is.
  let [mayQuote, mayComment] = [true, true]
  let at = 0
  const add = (kind: AddressToken['kind'], text: string, end: number) => {
    found.push({ kind, text, isApart })
    isApart = false
    at = end
  }
  while (at < header.length) {
    const char = header.charAt(at)
    if (char === '"' && mayQuote) {
      const end = endOfQuoted(header, at)
      mayQuote = end >= 0
      if (mayQuote) add('quoted', unescaped(header.slice(at + 1, end)), end + 1)
    } else if (char === '(' && mayComment) {
      const end = endOfComment(header, at)
      mayComment = end >= 0
      if (mayComment) add('comment', unescaped(header.slice(at + 1, end)).trim(), end + 1)
    } else if ('<>,;:'.includes(char)) add('special', char, at + 1)
    else {
      const blanks = matchAt(BLANKS, header, at)
      const encoded = blanks === '' ? matchAt(ENCODED_WORD, header, at) : ''
      if (blanks !== '') [isApart, at] = [true, at + blanks.length]
      else if (encoded !== '') add('encoded', encoded, at + encoded.length)
      else {
        const word = matchAt(WORD, header, at) || char
        add('word', word, at + word.length)
      }
    }
  }
  return found
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** The end of the quoted string that begins at `start`; -1 if there is none. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\\') at += 1
    else if (char === '"') return at
  }
  return -1
}

const unescaped = (text: string): string => text.replace(/\\([^])/g, '$1')
