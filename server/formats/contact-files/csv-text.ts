import { isUtf8 } from 'node:buffer'
import { invalidInput } from '../../platform/errors.ts'

/** Bytes inspected before deciding on a file's encoding and line ends. */
const HEAD_BYTES = 64 * 1024
/** A longer line is no CSV line, and is not kept in memory to find its end. */
const LINE_MAX = 1024 * 1024
/** Replaces such a line. */
export const TOO_LONG = '\uFFFFtoo long\uFFFF'

/**
 * A CSV file's text in blocks of whole lines, each ended by LF.
 *
 * Reads UTF-8, and UTF-16 with a byte order mark; a line that is not UTF-8 is read as Windows-1252, which is what
 * spreadsheets write instead. NUL characters are dropped, and a line beyond 1 MB becomes `TOO_LONG`.
 *
 * @throws Refusal 400 when the file is empty or clearly not text
 */
export async function* csvText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  let onlyCr: boolean | undefined
  let hasLines = false
  let skipping = false
  for await (const piece of decoded(chunks)) {
    onlyCr ??= !piece.includes('\n') && piece.includes('\r')
    let text = rest + (onlyCr ? piece.replaceAll('\r', '\n') : piece)
    if (skipping) {
      const end = text.indexOf('\n')
      skipping = end < 0
      text = skipping ? '' : TOO_LONG + text.slice(end)
    }
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    hasLines ||= end > 0
    if (rest.length > LINE_MAX) {
      if (!hasLines) throw notCsv()
      skipping = true
      rest = ''
    }
    if (end > 0) yield tidy(text.slice(0, end))
  }
  if (onlyCr === undefined) throw invalidInput('This file is empty.')
  if (rest !== '' || skipping) yield tidy(`${skipping ? TOO_LONG : rest}\n`)
}

const notCsv = () => invalidInput('This is not a CSV file. Please save your contacts as CSV and try again.')

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\0', '')
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let decoder: Decoder | undefined
  let hasLines = false
  let skipping = false
  for await (const chunk of chunks) {
    let bytes = Buffer.concat([rest, chunk])
    rest = bytes
    if (bytes.length < HEAD_BYTES && decoder === undefined) continue
    decoder ??= decoderFor(bytes)
    if (skipping) {
      const end = bytes.indexOf(decoder.newline)
      bytes = bytes.subarray(end < 0 ? bytes.length : end)
      skipping = end < 0
      if (end >= 0) yield TOO_LONG
    }
    const { text, read } = decoder.decode(bytes, false)
    // Copied, so that a few bytes do not keep the whole block in memory.
    rest = Buffer.from(bytes.subarray(read))
    hasLines ||= read > 0
    if (rest.length > LINE_MAX) {
      if (!hasLines) throw notCsv()
      skipping = true
      rest = Buffer.alloc(0)
    }
    if (text !== '') yield text
  }
  if (skipping) yield TOO_LONG
  else if (rest.length > 0) yield (decoder ?? decoderFor(rest)).decode(rest, true).text
}

type Decoder = {
  newline: number
  /** Reads as many bytes as form whole characters, or all of them at the end. */
  decode: (bytes: Buffer, last: boolean) => { text: string; read: number }
}

function decoderFor(head: Buffer): Decoder {
  const [first, second] = head
  // A workbook (a ZIP archive) under another extension.
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') throw notCsv()
  if (first === 0xff && second === 0xfe) return utf16('utf-16le')
  if (first === 0xfe && second === 0xff) return utf16('utf-16be')
  let skip = head.subarray(0, 3).equals(BOM) ? BOM.length : 0
  const newline = head.includes(0x0a) ? 0x0a : 0x0d
  return {
    newline,
    decode: (bytes, last) => {
      const read = last ? bytes.length : bytes.lastIndexOf(newline) + 1
      const text = read > 0 ? textOf(bytes.subarray(skip, read), newline) : ''
      if (read > 0) skip = 0
      return { text, read }
    },
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

function utf16(encoding: 'utf-16le' | 'utf-16be'): Decoder {
  const decoder = new TextDecoder(encoding)
  return {
    newline: 0x0a,
    decode: (bytes, last) => ({ text: decoder.decode(bytes, { stream: !last }), read: bytes.length }),
  }
}

const windows1252 = new TextDecoder('windows-1252')

function textOf(bytes: Buffer, newline: number): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines: string[] = []
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(newline, from)
    const to = found < 0 ? bytes.length : found + 1
    const line = bytes.subarray(from, to)
    lines.push(isUtf8(line) ? line.toString('utf8') : windows1252.decode(line))
    from = to
  }
  return lines.join('')
}
