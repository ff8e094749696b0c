import { isUtf8 } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import { mendedHeaderLine } from './header-lines.ts'
import { headToUtf8 } from './rough.ts'
import { cleanText, cutText } from '../../platform/text.ts'

const MAX_NAME_CHARS = 150
/** This much of an attached mail is read for its subject, and this much of that becomes its name. */
const MAX_HEAD_BYTES = 8_000
const MAX_SUBJECT_CHARS = 80
/** Types whose extension cannot be derived from the subtype. */
const ENDINGS: Record<string, string> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'application/ics': 'ics',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'message/feedback-report': 'txt',
  'text/rfc822-headers': 'txt',
  'application/octet-stream': 'bin',
}

/** `type/subtype` in lower case; application/octet-stream for anything else. */
export function attachmentType(type: string): string {
  const lower = type.trim().toLowerCase()
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(lower)
    ? lower
    : 'application/octet-stream'
}

/**
 * A file name that is safe to show and to save under: the sender's without path and control characters, or a
 * generated one.
 */
export function attachmentName(
  given: string | null,
  type: string,
  content: Uint8Array,
  index: number,
): string {
  const safe = safeName(given ?? '')
  if (safe !== '') return safe
  const ending = ENDINGS[type] ?? /^[a-z]+\/([a-z0-9]{2,5})$/.exec(type)?.[1] ?? 'bin'
  const subject = type === 'message/rfc822' ? subjectOf(content) : ''
  return `${subject || `attachment-${index + 1}`}.${ending}`
}

function safeName(given: string): string {
  const name = cleanText(given)
    // Direction marks make "gpj.exe" read "exe.jpg".
    // oxlint-disable-next-line no-control-regex -- controls are what is taken off
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]+/g, ' ')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[<>:"|?*]+/g, '_')
    .replace(/\s+/g, ' ')
  return shortened(withoutDots(name))
}

/** Removes dots and blanks from both ends. */
function withoutDots(name: string): string {
  let [start, end] = [0, name.length]
  while (start < end && '. '.includes(name.charAt(start))) start += 1
  while (end > start && '. '.includes(name.charAt(end - 1))) end -= 1
  return name.slice(start, end)
}

function shortened(name: string): string {
  if (name.length <= MAX_NAME_CHARS) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return cutText(name, MAX_NAME_CHARS - ending.length) + ending
}

/** The decoded subject in the head of a mail, shortened for a name. */
function subjectOf(content: Uint8Array): string {
  const bytes = content.subarray(0, MAX_HEAD_BYTES)
  const head = Buffer.from(isWhole(bytes) ? bytes : headToUtf8(bytes))
    .toString('utf8')
    .replace(/\r\n?/g, '\n')
  const [subject = ''] = /^subject:[^\n]*(?:\n[ \t][^\n]*)*/im.exec(head.slice(0, endOfHead(head))) ?? []
  const line = mendedHeaderLine(Buffer.from(subject.slice('subject:'.length).replaceAll('\n', '')))
  return cutText(safeName(decodeWords(Buffer.from(line).toString('utf8').trim())), MAX_SUBJECT_CHARS).trim()
}

const endOfHead = (text: string): number => {
  const end = text.indexOf('\n\n')
  return end < 0 ? text.length : end
}

/** Decodes UTF-8, dropping a character split by the cut. */
const isWhole = (bytes: Uint8Array): boolean =>
  [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))))
