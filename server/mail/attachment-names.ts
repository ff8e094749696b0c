import { cleanText, cutText } from './words.ts'

const MAX_NAME_CHARS = 150
/** Types whose ending cannot be guessed from the subtype. */
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

/** A file name that is safe to show and to save under: the sender's without path and controls, else one made up. */
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
    .replace(/^[. ]+|[. ]+$/g, '')
  if (name.length <= MAX_NAME_CHARS) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return cutText(name, MAX_NAME_CHARS - ending.length) + ending
}

function subjectOf(content: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(content.subarray(0, 8_000))
  const subject = /^subject:[ \t]*([^\r\n]{1,200})/im.exec(head)?.[1] ?? ''
  return subject.includes('=?') ? '' : safeName(subject).slice(0, 80).trim()
}
