import { createHash } from 'node:crypto'

/** More header than this is not searched for the fields of the digest. */
const MAX_HEADER_BYTES = 256 * 1024
/** Fields that the sender writes and no server changes from folder to folder. */
const FIELDS = patternsOf('date', 'from', 'subject')
/** Until a draft is sent, these may change as well. */
const RECIPIENT_FIELDS = patternsOf('to', 'cc', 'bcc')

/**
 * A digest of what is the same for every copy of a mail in one account: Date, From, Subject and the body, all as they
 * are written. Other header fields, line ends and blank lines at the end differ by folder. It depends on no parser, so
 * that every version of Howl comes to the same.
 */
export function mailDigest(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length)
  const { headerEnd, bodyStart } = splitAt(bytes)
  const fields = fieldsOf(bytes, headerEnd, FIELDS)
  const body = unixLines(bytes.toString('latin1', bodyStart)).trimEnd()
  return hashOf(`${fields}\n\n`, body)
}

/** The digest of a draft: that of any mail, and after a dot that of To, Cc and Bcc. */
export function draftDigest(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length)
  return `${mailDigest(raw)}.${hashOf(fieldsOf(bytes, splitAt(bytes).headerEnd, RECIPIENT_FIELDS))}`
}

/** What a draft's digest and that of the same mail in another folder have in common. */
export function withoutRecipients(digest: string): string {
  return digest.replace(/\..*$/, '')
}

function patternsOf(...names: string[]): RegExp[] {
  return names.map((name) => new RegExp(`^${name}[ \\t]*:(.*)$`, 'im'))
}

function fieldsOf(bytes: Buffer, headerEnd: number, patterns: readonly RegExp[]): string {
  const header = bytes.toString('latin1', 0, Math.min(headerEnd, MAX_HEADER_BYTES))
  const unfolded = unixLines(header).replace(/\n[ \t]+/g, ' ')
  return patterns.map((field) => (field.exec(unfolded)?.[1] ?? '').replace(/\s+/g, ' ').trim()).join('\n')
}

function hashOf(...parts: string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part, 'latin1')
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
