import { isUtf8 } from 'node:buffer'
import type { MimePart } from './postal-mime-inside.ts'
import { decodeUtf7, UTF7 } from './utf7.ts'

const SPACE = 0x20
/** Labels that mean ASCII or nothing at all; the reader would take their text for Windows-1252. */
const ASCII_LABELS =
  /^(?:us-?ascii|ascii|ansi_x3\.4-19(?:68|86)|iso_?646[\w.:-]*|cp367|unknown-?8bit|x-unknown|unknown|default|utf)$/i

/** Corrects a text's charset by its bytes: valid UTF-8 counts more than an ASCII label; UTF-7 becomes UTF-8. */
export function believeBytes(part: MimePart): void {
  const { params } = part.contentType.parsed
  const label = params['charset']?.trim() ?? ''
  if (label === '' || part.content === null) return
  if (UTF7.test(label)) {
    const text = Buffer.from(decodeUtf7(new Uint8Array(part.content)))
    part.content = text.buffer.slice(text.byteOffset, text.byteOffset + text.length)
    params['charset'] = 'utf-8'
  } else if (ASCII_LABELS.test(label) && isUtf8(new Uint8Array(part.content))) params['charset'] = 'utf-8'
}

/** True for a text with a file name; the forms of one text (alternative, related) are no files. */
export function isNamed({ contentType, contentDisposition, parentNode }: MimePart): boolean {
  const name = contentDisposition.parsed.params['filename'] ?? contentType.parsed.params['name'] ?? ''
  const within = parentNode?.contentType.multipart
  return name.trim() !== '' && within !== 'alternative' && within !== 'related'
}

/** More than blanks: some programs put an empty text before the real one. */
const hasInk = ({ content }: MimePart): boolean =>
  content !== null && new Uint8Array(content).some((byte) => byte > SPACE)

/** True if one of the parts is a text that satisfies `holds`. */
export function someText(root: MimePart, holds: (part: MimePart) => boolean): boolean {
  const parts = [root]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part.contentType.multipart === false && holds(part) && hasInk(part)) return true
    for (const child of part.childNodes) parts.push(child)
  }
  return false
}
