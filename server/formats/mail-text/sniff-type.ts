/** Magic bytes of file types that people send. */
const MAGIC: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'image/heic', at: 4, bytes: 'ftypheic' },
  { type: 'image/tiff', at: 0, bytes: 'II*\0' },
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
  { type: 'application/zip', at: 0, bytes: 'PK\x03\x04' },
  { type: 'application/gzip', at: 0, bytes: '\x1f\x8b' },
  { type: 'application/x-7z-compressed', at: 0, bytes: "7z\xbc\xaf'\x1c" },
  { type: 'application/vnd.ms-office', at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
]

/** The type of a container by its extension, where the bytes only tell which container it is. */
const IN_ZIP: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
}
const IN_OLE: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
const TEXTS: Record<string, string> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  json: 'application/json',
  md: 'text/markdown',
  vcf: 'text/vcard',
  xml: 'application/xml',
}

/** Bytes from the beginning of a file that {@link sniffType} reads. */
export const SNIFFED_BYTES = 4096

/**
 * A file's type by its first bytes, not by its name; the extension only distinguishes types within one container
 * format.
 */
export function sniffType(name: string, beginning: Buffer): string {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = typeByMagic(beginning)
  if (type === 'application/zip') return IN_ZIP[ending] ?? type
  if (type === 'application/vnd.ms-office') return IN_OLE[ending] ?? 'application/octet-stream'
  if (type !== undefined) return type
  if (!isText(beginning)) return 'application/octet-stream'
  return TEXTS[ending] ?? 'text/plain'
}

/** The type that a file's first bytes tell, if they tell one. */
export function typeByMagic(beginning: Buffer): string | undefined {
  return MAGIC.find(({ at, bytes }) => beginning.toString('latin1', at, at + bytes.length) === bytes)?.type
}

function isText(beginning: Buffer): boolean {
  if (beginning.includes(0)) return false
  try {
    // The last character may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    return true
  } catch {
    return false
  }
}
