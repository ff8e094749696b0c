import { recipientsOf } from '#contract/formats/address-line.ts'
import type { Email, EmailDetail } from '#contract/mail/emails.ts'
import { replaceHidden } from '#contract/formats/hidden-characters.ts'
import { isOwnName, sendersOf } from '#contract/formats/shown-sender.ts'
import { editorHtml, isPlain, mailHtml } from './draft-html.ts'
import { SIGNATURE_SEPARATOR } from './draft-text.ts'
import { addressOf } from '../../crm/contacts/recipients.ts'

export type Draft = {
  to: string
  cc: string
  bcc: string
  subject: string
  html: string
  text: string
  /** The account to send from; null: the one in use. */
  mailboxId: number | null
}

/** The initial content of a draft, and the mail it belongs to. */
export type NewDraft = {
  title: string
  draft: Draft
  /** Message-ID of the mail that is answered. */
  inReplyTo: string | null
  /** The original mail below the user's text: quoted, or forwarded with its files. */
  original: { kind: 'quote' | 'forward'; mail: EmailDetail } | null
  draftId: number | null
  /** When the draft will be sent, if it is already scheduled. */
  scheduledAt: string | null
  /** The user's signature if the draft starts with it, else empty. */
  signature: string
  /** Files that a draft has already; their ids are those of uploads. */
  files: EmailDetail['attachments']
}

export const EMPTY_DRAFT: Draft = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  html: '',
  text: '',
  mailboxId: null,
}

const NEW_MAIL: NewDraft = {
  title: 'Compose',
  draft: EMPTY_DRAFT,
  inReplyTo: null,
  original: null,
  draftId: null,
  scheduledAt: null,
  signature: '',
  files: [],
}

/** A new mail above the user's signature; `to` is its recipient if one is known. */
export function newMail(to = '', signature = ''): NewDraft {
  return { ...NEW_MAIL, draft: { ...EMPTY_DRAFT, to, text: above(signature) }, signature }
}

/** An empty line to write on, and the signature below its separator. */
const above = (signature: string) => (signature === '' ? '' : `\n\n${SIGNATURE_SEPARATOR}\n${signature}`)

// The prefixes of replies: Re, AW (German), SV (Nordic), Antw (Dutch), RV, Odp, VS, also with a number, as in "Re[2]:".
const ANSWER = /^(?:\s*(?:re|aw|sv|antw|rv|odp|vs|ref)\s*(?:\[\d+\]|\(\d+\))?\s*:)+\s*/i
const FORWARD = /^(?:\s*(?:fwd?|wg|tr|rv|vl|i)\s*:)+\s*/i

/** The subject of a reply: exactly one "Re:". */
export const answerSubject = (subject: string) => `Re: ${subject.replace(ANSWER, '').trim()}`.trim()
export const forwardSubject = (subject: string) => `Fwd: ${subject.replace(FORWARD, '').trim()}`.trim()

type Answering = 'reply' | 'reply-all' | 'forward'
const TITLES: Record<Answering, string> = { reply: 'Reply', 'reply-all': 'Reply all', forward: 'Forward' }

/**
 * A reply to a mail, or a forward, from the account `mailboxId`. `own` are the user's addresses, which get no copy.
 */
export function answer(
  kind: Answering,
  mail: EmailDetail,
  own: readonly string[],
  signature = '',
  mailboxId: number | null = null,
): NewDraft {
  const isForward = kind === 'forward'
  const people = isForward ? { to: '', cc: '' } : recipientsOfAnswer(kind, mail, own)
  return {
    ...NEW_MAIL,
    title: TITLES[kind],
    draft: {
      ...EMPTY_DRAFT,
      ...people,
      subject: isForward ? forwardSubject(mail.subject) : answerSubject(mail.subject),
      text: above(signature),
      mailboxId,
    },
    inReplyTo: isForward || mail.message_id === '' ? null : mail.message_id,
    original: { kind: isForward ? 'forward' : 'quote', mail },
    signature,
  }
}

function recipientsOfAnswer(
  kind: Answering,
  mail: EmailDetail,
  own: readonly string[],
): { to: string; cc: string } {
  const ownKeys = new Set(own.map((address) => address.toLowerCase()))
  const isOwn = (one: string) => ownKeys.has(addressOf(one).toLowerCase())
  // A reply to the user's own mail goes to its recipients.
  const first = isOwn(mail.from) ? recipientsOf(mail.to) : recipientsOf(mail.reply_to || sendersLine(mail))
  if (kind === 'reply') return { to: first.join(', '), cc: '' }
  const seen = new Set(first.map((one) => addressOf(one).toLowerCase()))
  const others = [...recipientsOf(mail.to), ...recipientsOf(mail.cc)].filter((one) => {
    const key = addressOf(one).toLowerCase()
    return !isOwn(one) && !seen.has(key) && seen.add(key)
  })
  return { to: first.join(', '), cc: others.join(', ') }
}

/** All of From (RFC 5322 3.6.2). A name that reads as another address is left out. */
function sendersLine(mail: Email): string {
  return sendersOf(mail)
    .filter(({ address }) => address !== '')
    .map(({ name, address }) =>
      isOwnName({ name, address }) && name !== address
        ? `"${replaceHidden(name, () => '').replaceAll(/["\\]/g, '')}" <${address}>`
        : address,
    )
    .join(', ')
}

/** The original mail of a draft, if there is one. */
export function originalOf(mail: EmailDetail): { kind: 'quote' | 'forward'; id: number } | null {
  if (mail.forward_of != null) return { kind: 'forward', id: mail.forward_of }
  return mail.quote_of == null ? null : { kind: 'quote', id: mail.quote_of }
}

/** A draft or scheduled mail opened for editing, with its original mail. */
export function continued(
  mail: EmailDetail,
  original: NewDraft['original'],
  mailboxId: number | null = null,
): NewDraft {
  return {
    ...NEW_MAIL,
    title: mail.status === 'scheduled' ? 'Edit scheduled email' : 'Edit draft',
    draft: {
      to: mail.to,
      cc: mail.cc,
      bcc: mail.bcc,
      subject: mail.subject,
      html: editorHtml(mail.html ?? ''),
      text: mail.content,
      mailboxId,
    },
    inReplyTo: mail.in_reply_to,
    original,
    draftId: mail.id,
    scheduledAt: mail.status === 'scheduled' ? mail.schedule_at : null,
    files: mail.attachments.flatMap((file) =>
      file.upload_id === undefined ? [] : { ...file, id: file.upload_id },
    ),
  }
}

/** True if the user has written nothing yet; the signature does not count. */
export function isEmpty({ to, cc, bcc, subject, text }: Draft, signature: string): boolean {
  const isBare = ['', above(signature).trim()].includes(text.trim())
  return isBare && [to, cc, bcc, subject].every((each) => each.trim() === '')
}

/**
 * The request body for a draft. Fields that are left out stay unchanged: the original mail, and files that were not
 * touched.
 */
export function draftBody(draft: Draft, begun: NewDraft, withOriginal: boolean, attachments: number[]) {
  const { to, cc, bcc, subject, html, text, mailboxId } = draft
  const original = withOriginal ? begun.original : null
  const areAsBefore =
    begun.draftId !== null && String(attachments) === String(begun.files.map(({ id }) => id))
  return {
    to: withoutEnd(to),
    cc: withoutEnd(cc),
    bcc: withoutEnd(bcc),
    subject,
    content: text.trimEnd(),
    html: isPlain(html) ? null : mailHtml(html),
    attachments: areAsBefore ? undefined : attachments,
    in_reply_to: begun.inReplyTo,
    mailbox_id: mailboxId ?? undefined,
    quote_of: original?.kind === 'quote' ? original.mail.id : null,
    forward_of: original?.kind === 'forward' ? original.mail.id : null,
  }
}

/** A chosen recipient ends with a comma, ready for the next one; the comma is not sent. */
const withoutEnd = (recipients: string) => recipients.trim().replace(/[,;\s]+$/, '')
