import { createHash } from 'node:crypto'

/** More header than this is not searched for the fields of the digest. */
const MAX_HEADER_BYTES = 256 * 1024
/** Fields that the sender writes and no server changes from folder to folder. */
const FIELDS = ['date', 'from', 'subject'].map((name) => new RegExp(`^${name}[ \\t]*:(.*)$`, 'im'))

/**
 * A digest of what is the same for every copy of a mail in one account: Date, From, Subject and the body, all as they
 * are written. Other header fields, line ends and blank lines at the end differ by folder. It depends on no parser, so
 * that every version of Howl comes to the same.
 */
export function mailDigest(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length)
  const { headerEnd, bodyStart } = splitAt(bytes)
  const header = bytes.toString('latin1', 0, Math.min(headerEnd, MAX_HEADER_BYTES))
  const unfolded = unixLines(header).replace(/\n[ \t]+/g, ' ')
  const fields = FIELDS.map((field) => (field.exec(unfolded)?.[1] ?? '').replace(/\s+/g, ' ').trim())
  const body = unixLines(bytes.toString('latin1', bodyStart)).trimEnd()
  const hash = createHash('sha256')
    .update(`${fields.join('\n')}\n\n`, 'latin1')
    .update(body, 'latin1')
  return hash.digest('base64url').slice(0, 22)
}

function splitAt(bytes: Buffer): { headerEnd: number; bodyStart: number } {
  const crlf = bytes.indexOf('\r\n\r\n')
  const lf = bytes.subarray(0, crlf < 0 ? bytes.length : crlf).indexOf('\n\n')
  if (lf >= 0) return { headerEnd: lf, bodyStart: lf + 2 }
  return crlf < 0
    ? { headerEnd: bytes.length, bodyStart: bytes.length }
    : { headerEnd: crlf, bodyStart: crlf + 4 }
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
