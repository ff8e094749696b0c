import { typeByMagic } from '../../../formats/mail-text/sniff-type.ts'

/** A longer text is shown up to here. */
const TEXT_MAX_BYTES = 1024 * 1024

/** Types that a browser shows by itself and that cannot run scripts. */
const SHOWN = new Set(
  'image/png image/jpeg image/gif image/webp image/bmp image/avif application/pdf'.split(' '),
)

export type Preview = { type: string; content: Buffer }

/**
 * An attachment as the browser may show it: a picture or a PDF with the type that its bytes indicate, whatever its sender
 * declared; a text as UTF-8 plain text. Null for everything else, SVG and HTML included.
 */
export function previewOf(declared: string, content: Buffer): Preview | null {
  const type = typeByMagic(content) ?? (content.toString('latin1', 0, 2) === 'BM' ? 'image/bmp' : '')
  if (SHOWN.has(type)) return { type, content }
  if (!isText(declared)) return null
  return {
    type: 'text/plain; charset=utf-8',
    content: Buffer.from(decode(content.subarray(0, TEXT_MAX_BYTES))),
  }
}

const isText = (type: string): boolean =>
  /^text\/(?!html\b)/.test(type) || /^(?:application\/(?:json|xml|ics)|message\/)/.test(type)

/** Decodes UTF-8, else UTF-16 or the code page that old programs write. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const hasMark = bytes[0] === 0xff && bytes[1] === 0xfe
    return new TextDecoder(hasMark ? 'utf-16le' : 'windows-1252').decode(bytes)
  }
}
