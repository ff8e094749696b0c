import { isUtf8 } from 'node:buffer'
import type { Email as PostalEmail } from 'postal-mime'

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d

/** Base64 lines are longer than this; shorter ones cost the MIME reader far more than their bytes. */
const SHORT_LINE = 60

/** Lines of the mail, the short ones among them, and those that could open a MIME part. */
export function countLines(bytes: Uint8Array): { lines: number; shortLines: number; partMarks: number } {
  let lines = 1
  let shortLines = 0
  let partMarks = 0
  let start = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, start)) {
    lines += 1
    if (at - start < SHORT_LINE) shortLines += 1
    start = at + 1
    if (bytes[start] === DASH && bytes[start + 1] === DASH) partMarks += 1
  }
  return { lines, shortLines, partMarks }
}

/**
 * What MIME readers stumble over, put right: blank lines and an mbox "From " line before the headers, line
 * ends of CR alone, and 8-bit headers that are no UTF-8 (taken for Windows-1252, as every client does).
 */
export function repairBytes(raw: Uint8Array, faults: string[]): Uint8Array {
  let bytes = skipPreamble(raw)
  // Looked at behind the "From " line: what wrote it was not what wrote the mail.
  if (bytes.indexOf(LF) < 0 && bytes.indexOf(CR) >= 0) {
    bytes = bytes.map((byte) => (byte === CR ? LF : byte))
    faults.push('line ends are bare carriage returns')
  }
  const { head, body } = splitHead(bytes)
  const wholeIsBare = !hasBodyCharset(head)
  const suspects = wholeIsBare ? bytes : head
  if (!isUtf8(suspects)) {
    faults.push('8-bit text without a charset: read as Windows-1252')
    const widened = isUtf8(head) ? head : headToUtf8(head)
    return Buffer.concat([widened, wholeIsBare && !isUtf8(body) ? toUtf8(body) : body])
  }
  return bytes
}

function skipPreamble(raw: Uint8Array): Uint8Array {
  let start = 0
  while (raw[start] === LF || raw[start] === CR) start += 1
  if (
    Buffer.from(raw.subarray(start, start + 6))
      .toString('latin1')
      .match(/^>?From /)
  ) {
    start = endOfLine(raw, start)
  }
  return start === 0 ? raw : raw.subarray(start)
}

/** Behind a line end of any kind: LF, CRLF or CR. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const feed = bytes.indexOf(LF, from)
  const line = feed < 0 ? bytes.subarray(from) : bytes.subarray(from, feed)
  const back = line.indexOf(CR)
  if (back < 0 || from + back + 1 === feed) return feed < 0 ? bytes.length : feed + 1
  return from + back + 1
}

function splitHead(bytes: Uint8Array): { head: Uint8Array; body: Uint8Array } {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1
    if (bytes[next] === LF) return { head: bytes.subarray(0, next + 1), body: bytes.subarray(next + 1) }
  }
  return { head: bytes, body: bytes.subarray(bytes.length) }
}

/** False only for a plain 8-bit text body whose charset nobody declared. */
function hasBodyCharset(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 100_000)).toString('latin1')
  return /^content-type:[^\n]*(?:\n[ \t][^\n]*)*(?:charset|multipart\/|message\/|application\/|image\/)/im.test(
    text,
  )
}

function toUtf8(bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder('windows-1252').decode(bytes))
}

/** Raw 8-bit characters inside an encoded word are in the charset that the word names: escaped, they stay so. */
export function headToUtf8(head: Uint8Array): Uint8Array {
  const escaped = Buffer.from(head)
    .toString('latin1')
    .replace(/=\?[^?\s]{1,40}\?q\?[^?\n]*\?=/gi, (word) =>
      word.replace(/[\x80-\xff]/g, (char) => `=${char.charCodeAt(0).toString(16).toUpperCase()}`),
    )
  return toUtf8(Buffer.from(escaped, 'latin1'))
}

/** The mail with the boundary that its body really uses, or null when there is none to be seen. */
export function withGuessedBoundary(bytes: Uint8Array): Uint8Array | null {
  const { head, body } = splitHead(bytes)
  const beginning = Buffer.from(body.subarray(0, 100_000)).toString('latin1')
  const boundary = /^--([^\s"]{1,200})[ \t]*\r?\n(?=content-)/im.exec(beginning)?.[1]
  const text = Buffer.from(head).toString('latin1')
  if (!boundary || !/^content-type:[ \t]*multipart\//im.test(text)) return null
  const others = text.replace(/^content-type:[^\n]*\n(?:[ \t]+[^\n]*\n)*/im, '')
  return Buffer.concat([
    Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n${others}`, 'latin1'),
    body,
  ])
}

/**
 * A parameter that stands at the beginning of a line, where relays have lost the blank before it (RFC 5322 2.2.3), goes
 * back to its header: without its boundary a part has no words. Null where there is none.
 */
export function withFoldedParameters(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes).toString('latin1')
  const folded = text.replace(
    /^(content-type:[^\n]{0,1000};)[ \t]*\r?\n(?=(?:boundary|charset|report-type)=)/gim,
    '$1 ',
  )
  return folded === text ? null : Buffer.from(folded, 'latin1')
}

/** Of a mail that MIME cannot read, so much is looked at. */
const ROUGH_HEAD_BYTES = 200_000
const ROUGH_BODY_BYTES = 1_000_000

/** Whether the reader of last resort looks at all of a mail's body. */
export function isReadToTheEnd(bytes: Uint8Array): boolean {
  return splitHead(bytes).body.length <= ROUGH_BODY_BYTES
}

/** The reader of last resort: header lines up to the first blank one, the rest as HTML or as text. Never throws. */
export function readRoughly(bytes: Uint8Array): PostalEmail {
  const { head } = splitHead(bytes)
  const lines = new TextDecoder()
    .decode(head.subarray(0, ROUGH_HEAD_BYTES))
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    const originalKey = line.slice(0, Math.max(colon, 0)).trim()
    if (originalKey === '' || /\s/.test(originalKey)) return []
    return [{ key: originalKey.toLowerCase(), originalKey, value: line.slice(colon + 1).trim() }]
  })
  const html = roughHtmlOf(bytes)
  const words = html === null ? { text: roughTextOf(bytes) } : { html }
  return { headers, headerLines: [], attachments: [], ...words }
}

/** The first HTML in a mail, also within a part; null where no header says that there is any. */
function roughHtmlOf(bytes: Uint8Array): string | null {
  const { head, body } = splitHead(bytes)
  const text = (part: Uint8Array, most: number) => Buffer.from(part.subarray(0, most)).toString('latin1')
  const headText = text(head, ROUGH_HEAD_BYTES)
  const bodyText = text(body, ROUGH_BODY_BYTES)
  if (IS_HTML.test(headText)) return decoded(headText, bodyText)
  const declared = IS_HTML.exec(bodyText)
  if (declared === null || !/^content-type:[ \t]*multipart\//im.test(headText)) return null
  const blank = /\r?\n\r?\n/g
  blank.lastIndex = declared.index
  const above = blank.exec(bodyText)
  if (above === null) return null
  const begins = bodyText.lastIndexOf('\n--', declared.index) + 1
  const ends = bodyText.indexOf('\n--', blank.lastIndex)
  return decoded(
    bodyText.slice(begins, above.index),
    bodyText.slice(blank.lastIndex, ends < 0 ? undefined : ends),
  )
}

const IS_HTML = /^content-type:[ \t]*text\/html/im

/** A part's content, given as its bytes are (Latin-1), out of the encoding and charset that its headers name. */
function decoded(head: string, content: string): string {
  const encoding = /^content-transfer-encoding:[ \t]*([\w-]{1,40})/im.exec(head)?.[1]?.toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(content, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquoted(content) : content, 'latin1')
  const charset = /\bcharset[ \t]*=[ \t]*"?([\w.:-]{1,60})/i.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Quoted-printable (RFC 2045 6.7), each character a byte. */
function unquoted(content: string): string {
  return content
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The body as it stands, without the delimiters and part headers that nobody wants to read. */
export function roughTextOf(bytes: Uint8Array): string {
  const { head, body } = splitHead(bytes)
  const text = new TextDecoder().decode(body.subarray(0, ROUGH_BODY_BYTES))
  const headText = new TextDecoder().decode(head.subarray(0, ROUGH_HEAD_BYTES))
  const declared = [...(headText + text).matchAll(/boundary="?([^\s";]{1,200})/gi)].map(
    ([, boundary]) => boundary,
  )
  const boundaries = new Set(declared.flatMap((boundary) => [`--${boundary}`, `--${boundary}--`]))
  const isScaffolding = (line: string) => boundaries.has(line.trimEnd()) || SCAFFOLDING.test(line)
  return withoutLines(text.replaceAll('\r\n', '\n'), isScaffolding)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const SCAFFOLDING = /^(?:--\S{5,}$|content-[a-z-]+:|mime-version:|[ \t]+(?:boundary|charset)=)/i
/** What a line of scaffolding, or a delimiter, begins with. */
const SCAFFOLDING_BEGINS = new Set(Array.from('-cCmM \t', (char) => char.charCodeAt(0)))

/** The text without some of its lines. Lines that stay next to each other are copied in one piece. */
function withoutLines(text: string, isDropped: (line: string) => boolean): string {
  const kept: string[] = []
  let keptFrom = 0
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const next = feed < 0 ? text.length : feed + 1
    if (
      SCAFFOLDING_BEGINS.has(text.charCodeAt(start)) &&
      isDropped(text.slice(start, feed < 0 ? undefined : feed))
    ) {
      kept.push(text.slice(keptFrom, start))
      keptFrom = next
    }
    start = next
  }
  kept.push(text.slice(keptFrom))
  return kept.join('')
}
