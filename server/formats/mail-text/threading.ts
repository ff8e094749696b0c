import type { ParsedMail } from './parse.ts'
import { oneLine } from '../../platform/text.ts'

/** Ids looked up to find a mail's thread; the newest are the most useful. */
const MAX_REFERENCED_IDS = 100
/** Ids written into References: the first one and the newest, so the header stays near 2 kB (RFC 5537 3.4.4). */
const MAX_WRITTEN_REFERENCES = 20
/** A subject is stripped at most this often: two machines in a loop produce "Re: Re: Re: …". */
const MAX_PEELS = 50

/** Reply prefixes of mail programs in all their languages. */
const REPLY_WORDS =
  're|aw|antw|antwort|sv|vs|vl|odp|ynt|ilt|rif|rv|res|enc|r|回复|回覆|答复|答覆|返信|отв|ответ|на|σχετ|απ|atb|bls|תשובה|رد'
const FORWARD_WORDS = 'fwd?|wg|tr|i|fs|vb|vl|doorst|pd|転送|转发|轉寄|轉發|пер|пересл|πρθ|הועבר|إعادة توجيه'
/** "Re[2]:", "Re(3):", "Re^2:", "Re::", full-width colons. */
const marked = (words: string) =>
  new RegExp(`^(?:${words})\\s*(?:\\[\\d+\\]|\\(\\d+\\)|\\^\\d+|\\*\\d+)?\\s*[:：][:：\\s]*`, 'iu')
const REPLY_MARK = marked(REPLY_WORDS)
const FORWARD_MARK = marked(FORWARD_WORDS)
/** Leading "(fwd) …", "(WG) …". */
const MARK_IN_PARENTHESES = new RegExp(`^\\((?:${REPLY_WORDS}|${FORWARD_WORDS})\\)\\s*`, 'iu')
/** RFC 5256 subj-blob: "[list]", at most three words long so that "[Urgent: reply needed by …]" stays. */
const LIST_MARK = /^\[[^\][]{1,40}\]\s*/u
const FORWARD_TRAILER = /\s*\(fwd\)$/i

/** Message-Ids that this mail follows, newest first, at most 100. */
export function referencedIds(mail: Pick<ParsedMail, 'inReplyTo' | 'references'>): string[] {
  return [...new Set([...mail.inReplyTo, ...mail.references.toReversed()])].slice(0, MAX_REFERENCED_IDS)
}

/**
 * The base subject of RFC 5256 2.1: without reply and forward prefixes of any usual language, "[list]" tags and
 * "(fwd)", with blanks folded; case is kept. May be empty.
 */
export function baseSubject(subject: string): string {
  let base = oneLine(subject).replace(/\s+/g, ' ')
  for (let peel = 0; peel < MAX_PEELS; peel += 1) {
    const peeled = peelOnce(base)
    if (peeled === base) break
    base = peeled
  }
  return base
}

function peelOnce(subject: string): string {
  const bare = subject.replace(FORWARD_TRAILER, '').trim()
  const unmarked = unwrapped(bare)
    .replace(MARK_IN_PARENTHESES, '')
    .replace(REPLY_MARK, '')
    .replace(FORWARD_MARK, '')
  const withoutTag = unmarked.replace(LIST_MARK, '')
  // If a tag is everything there is, it is the subject.
  return (withoutTag === '' ? unmarked : withoutTag).trim()
}

/** "[Fwd: …]", "[RE: …]": removes the brackets if a prefix comes first in them. */
function unwrapped(subject: string): string {
  if (!subject.startsWith('[') || !subject.endsWith(']')) return subject
  const inner = subject.slice(1, -1).trim()
  return REPLY_MARK.test(inner) || FORWARD_MARK.test(inner) ? inner : subject
}

/** The subject of a reply: exactly one leading "Re: "; list tags stay. */
export function replySubject(subject: string): string {
  return `Re: ${withoutMarks(subject, REPLY_MARK)}`.trim()
}

/** The subject of a forwarded mail: exactly one leading "Fwd: ". */
export function forwardSubject(subject: string): string {
  return `Fwd: ${withoutMarks(subject, FORWARD_MARK)}`.trim()
}

/** The subject of a reply or a forwarded mail as typed: several prefixes, in any language, become one. */
export function tidySubject(subject: string): string {
  const line = oneLine(subject).replace(/\s+/g, ' ')
  if (REPLY_MARK.test(line)) return replySubject(line)
  return FORWARD_MARK.test(line) ? forwardSubject(line) : line
}

function withoutMarks(subject: string, mark: RegExp): string {
  let rest = oneLine(subject).replace(/\s+/g, ' ')
  for (let peel = 0; peel < MAX_PEELS && mark.test(rest); peel += 1) rest = rest.replace(mark, '')
  return rest
}

/** In-Reply-To and References of a reply to `original` (RFC 5322 3.6.4), oldest first; ids without brackets. */
export function replyHeaders(original: Pick<ParsedMail, 'messageId' | 'inReplyTo' | 'references'>): {
  inReplyTo?: string
  references: string[]
} {
  const parents =
    original.references.length > 0
      ? original.references
      : original.inReplyTo.length === 1
        ? original.inReplyTo
        : []
  if (!original.messageId) return { references: shortened(parents) }
  const references = [...parents.filter((id) => id !== original.messageId), original.messageId]
  return { inReplyTo: original.messageId, references: shortened(references) }
}

function shortened(references: string[]): string[] {
  if (references.length <= MAX_WRITTEN_REFERENCES) return references
  return [...references.slice(0, 1), ...references.slice(1 - MAX_WRITTEN_REFERENCES)]
}
