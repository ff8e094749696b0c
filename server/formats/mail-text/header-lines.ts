import { isUtf8 } from 'node:buffer'
import { headToUtf8 } from './rough.ts'
import { decodeUtf7 } from './utf7.ts'

const ENCODED_WORD = '=?'
const EXTENDED_PARAMETER = "*=us-ascii'"
const UTF7_WORD = /=\?(?:x-)?(?:unicode-1-1-)?utf-7(?:\*[^?\s]{0,20})?\?([bq])\?([^?\s]{0,200})\?=/gi

/** How an encoded word names UTF-7 as its charset, ignoring case. */
const UTF7_MARK = '-7?'

/** False for a mail in which no header line can need `mendedHeaderLine`. */
export function hasLinesToMend(mail: Buffer): boolean {
  return !isUtf8(mail) || mail.includes(UTF7_MARK) || mail.includes(EXTENDED_PARAMETER)
}

/**
 * A header line that every reader understands: raw bytes that are not UTF-8 are read as Windows-1252, encoded words
 * in UTF-7 become UTF-8 (RFC 2047), and a parameter wrongly labelled us-ascii is taken for UTF-8 (RFC 2231).
 */
export function mendedHeaderLine(line: Buffer): Uint8Array {
  let mended: Buffer = line
  if (!isUtf8(mended)) mended = Buffer.from(headToUtf8(mended))
  if (mended.includes(ENCODED_WORD)) mended = withoutUtf7(mended)
  return mended.includes(EXTENDED_PARAMETER) ? asUtf8Parameter(mended) : mended
}

function withoutUtf7(line: Buffer): Buffer {
  const text = line.toString('latin1')
  const read = text.replace(UTF7_WORD, (_, encoding: string, word: string) => {
    const decoded = decodeUtf7(wordBytes(encoding, word))
    return `=?utf-8?B?${Buffer.from(decoded).toString('base64')}?=`
  })
  return read === text ? line : Buffer.from(read, 'latin1')
}

function wordBytes(encoding: string, word: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(word, 'base64')
  const bytes = word
    .replaceAll('_', ' ')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function asUtf8Parameter(line: Buffer): Buffer {
  const text = line.toString('latin1')
  const at = text.indexOf(EXTENDED_PARAMETER)
  const value = /^[^']{0,40}'([^;\s]*)/.exec(text.slice(at + EXTENDED_PARAMETER.length))?.[1] ?? ''
  try {
    decodeURIComponent(value)
  } catch {
    return line
  }
  return Buffer.from(text.replace(EXTENDED_PARAMETER, "*=utf-8'"), 'latin1')
}
