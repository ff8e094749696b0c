import { createHash } from 'node:crypto'
import type { Intent } from '#contract/mail/email.ts'
import { type FolderRole, type ImapEnvelopeRow, ORIGINAL_ID_HEADER } from '../../../platform/gateways/imap.ts'
import { type Address, addressKey, formatAddress } from '../../../formats/mail-text/addresses.ts'
import {
  type DeliveryReport,
  readDeliveryReport,
} from '../../../formats/mail-text/bounces/delivery-report.ts'
import { type Complaint, readComplaint } from '../../../formats/mail-text/bounces/complaints.ts'
import { classifyReply } from '../../../formats/mail-text/intents/intents.ts'
import { hasAuthenticSender } from '../../../formats/mail-text/authentication-results.ts'
import { mailKind } from '../../../formats/mail-text/mail-kind.ts'
import { headerOf, messageIds, type ParsedMail, sendersOf } from '../../../formats/mail-text/parse.ts'
import { referencedIds } from '../../../formats/mail-text/threading.ts'
import {
  type UnsubscribeRequest,
  unsubscribeRequest,
} from '../../../formats/mail-text/unsubscribe-request.ts'
import { cleanText, cutText, oneLine } from '../../../platform/text.ts'
import type { EmailFolder, MailKind, StoredFile } from '../tables.ts'
import { draftDigest, mailDigest } from './mail-digest.ts'
import { collapseKey } from '../messages/summary.ts'
import { recipientsLine } from '../messages/draft-versions.ts'
import { folderOfRole } from '../messages/folders.ts'

/** No header that people can read is longer; index entries must stay below 2,700 bytes. */
const MAX_LINE_CHARS = 2_000
const MAX_KEY_CHARS = 320
const MAX_NAME_CHARS = 300
const MAX_SUBJECT_CHARS = 1_000
/** Senders of one message that are named. */
const MAX_SENDERS = 20
/** Message-IDs stored from References. */
const MAX_REFERENCES = 50
/** Recipients of one message that count as written to. */
const MAX_RECIPIENT_KEYS = 50
const MAX_ATTACHMENT_NAMES = 50
/** The intent of a longer text is classified while parsing: the most hostile text of this length takes 20 ms. */
const LONG_TEXT_CHARS = 12_000
/** A Date header further ahead of the time of arrival than this comes from a wrong clock. */
const CLOCK_AHEAD_MS = 3_600_000

/**
 * The role of the folder a message was found in, the addresses of its owner, and the name by which the server signs what it
 * has checked; without one, no sender is authentic.
 */
export type FolderContext = {
  role: FolderRole | null
  ownKeys: ReadonlySet<string>
  authservId?: string | undefined
}

/** What the server reports about a message besides its bytes. */
export type Arrival = { receivedAt: Date; flags: ReadonlySet<string>; size: number }

type IncomingBody = {
  text: string
  html: string | null
  ccLine: string
  bccLine: string
  replyToLine: string
  files: StoredFile[]
  raw: Buffer
}

/** A message from the server, with everything that can be said about it without looking at other messages. */
export type IncomingMessage = {
  messageId: string
  /** Of what is the same in every folder; null while only the envelope is known. */
  digest: string | null
  /** As {@link filesLine} has them. */
  files: string
  /** Of a draft that is known whole, as {@link recipientsLine} has them. */
  recipients: string
  /** The Message-ID that a sent mail had before its provider gave it another one. */
  originalMessageId: string | null
  direction: 'in' | 'out'
  folder: EmailFolder
  kind: MailKind
  inReplyTo: string | null
  /** As in the header, oldest first. */
  references: string[]
  /** The Message-IDs this message follows, newest first. */
  follows: string[]
  fromName: string
  fromAddress: string
  /** All senders, where there are several. */
  fromLine: string
  toLine: string
  correspondentKey: string
  recipientKeys: string[]
  subject: string
  snippet: string
  collapseKey: string
  isRead: boolean
  isStarred: boolean
  occurredAt: Date
  receivedAt: Date
  size: number
  attachmentNames: string[]
  report: DeliveryReport | null
  complaint: Complaint | null
  /** The user's server has checked that it comes from the domain of its sender. */
  isAuthentic: boolean
  /** The intent of a long message; that of a short one is classified only if it is a reply. */
  intent: Intent | null
  unsubscribe: UnsubscribeRequest | null
  /** Null while only the envelope is known. */
  body: IncomingBody | null
}

/** What threading and classification need of a message: its content is already in the rows. */
export function factsOf(mail: IncomingMessage) {
  const { inReplyTo, references, fromName, fromLine, toLine, ...rest } = mail
  const { snippet, collapseKey, isRead, isStarred, attachmentNames, body, ...facts } = rest
  return facts
}
export type MailFacts = ReturnType<typeof factsOf>

/** Sent and Drafts hold the user's own messages, Inbox and Junk those of others; elsewhere the sender decides. */
function directionOf({ role, ownKeys }: FolderContext, fromKey: string): 'in' | 'out' {
  if (role === 'sent' || role === 'drafts') return 'out'
  if (role === 'inbox' || role === 'junk') return 'in'
  return ownKeys.has(fromKey) ? 'out' : 'in'
}

/** An address in the form used for comparison, short enough for an index. */
export function keyOf(address: string): string {
  return cutText(addressKey(address), MAX_KEY_CHARS)
}

type Headers = {
  messageId: string
  inReplyTo: string[]
  references: string[]
  date: Date | null
  from: Address | null
  /** All of From. */
  senders: Address[]
  to: Address[]
  cc: Address[]
  subject: string
}

function common(headers: Headers, folder: FolderContext, arrival: Arrival) {
  const fromAddress = cutText(oneLine(headers.from?.address ?? ''), MAX_KEY_CHARS)
  const fromKey = keyOf(fromAddress)
  const direction = directionOf(folder, fromKey)
  const subject = cutText(oneLine(headers.subject), MAX_SUBJECT_CHARS)
  const recipientKeys = [...new Set([...headers.to, ...headers.cc].map(({ address }) => keyOf(address)))]
  return {
    messageId: headers.messageId,
    direction,
    folder: folderOfRole(folder.role),
    inReplyTo: headers.inReplyTo[0] ?? null,
    references: headers.references.slice(-MAX_REFERENCES),
    follows: referencedIds(headers),
    fromName: cutText(oneLine(headers.from?.name ?? ''), MAX_NAME_CHARS),
    fromAddress,
    fromLine: fromLine(headers.senders),
    toLine: addressLine(headers.to),
    correspondentKey: direction === 'in' ? fromKey : (recipientKeys[0] ?? ''),
    recipientKeys: recipientKeys.slice(0, MAX_RECIPIENT_KEYS),
    subject,
    collapseKey: collapseKey(fromAddress, subject),
    isRead: direction === 'out' || arrival.flags.has('\\Seen'),
    isStarred: arrival.flags.has('\\Flagged'),
    occurredAt: occurredAt(headers.date, arrival.receivedAt),
    receivedAt: arrival.receivedAt,
    size: arrival.size,
  }
}

function occurredAt(date: Date | null, receivedAt: Date): Date {
  if (date === null || date.getTime() > receivedAt.getTime() + CLOCK_AHEAD_MS) return receivedAt
  return date
}

function addressLine(addresses: readonly Address[]): string {
  return cutText(oneLine(addresses.map(formatAddress).join(', ')), MAX_LINE_CHARS)
}

/** All senders, if there are several; one that does not fit any more is left out whole. */
function fromLine(senders: readonly Address[]): string {
  if (senders.length < 2) return ''
  const fits: string[] = []
  let chars = 0
  for (const sender of senders.slice(0, MAX_SENDERS)) {
    const one = oneLine(formatAddress(sender))
    chars += one.length + 2
    if (chars > MAX_LINE_CHARS) break
    fits.push(one)
  }
  return fits.length > 1 ? fits.join(', ') : ''
}

/** Ends the ids of messages that have none. */
const NO_MESSAGE_ID = '@no-message-id.invalid'

/** A message without a Message-ID gets one derived from its bytes, so it is recognized wherever it turns up. */
function nameOf(parsed: ParsedMail, raw: Buffer): string {
  return parsed.messageId ?? `${createHash('sha256').update(raw).digest('hex').slice(0, 40)}${NO_MESSAGE_ID}`
}

/** True for the id of a message that came without a Message-ID. */
export function isDerivedId(messageId: string): boolean {
  return messageId.endsWith(NO_MESSAGE_ID)
}

/**
 * The names and sizes of a mail's files: they are the same however a server encodes them. Pictures within the text are left out:
 * those of a mail that was written here are part of its HTML.
 */
export function filesLine(files: readonly Pick<StoredFile, 'name' | 'size' | 'inline'>[]): string {
  return files
    .filter(({ inline }) => !inline)
    .map(({ name, size }) => `${name} ${size}`)
    .join('\n')
}

/** The names in what {@link filesLine} returns. */
export function fileNames(line: string): string[] {
  return line === '' ? [] : line.split('\n').map((file) => file.replace(/ \d+$/, ''))
}

/** Exchange and Outlook.com keep the Message-ID of a mail that they gave another one. */
function originalIdOf(parsed: ParsedMail): string | null {
  return messageIds(headerOf(parsed, ORIGINAL_ID_HEADER))[0] ?? null
}

/** What a parsed message says. */
export function incomingMessage(
  parsed: ParsedMail,
  raw: Buffer,
  folder: FolderContext,
  arrival: Arrival,
): IncomingMessage {
  const headers = { ...parsed, messageId: nameOf(parsed, raw), date: parsed.date ?? null }
  const mail = common(headers, folder, arrival)
  const kind = mail.direction === 'out' ? 'personal' : mailKind(parsed)
  const report = kind === 'report' ? readDeliveryReport(parsed) : null
  const complaint = kind === 'complaint' ? readComplaint(parsed) : null
  const original = report?.originalMessageId ?? complaint?.originalMessageId
  const isDraft = mail.folder === 'drafts'
  const isLong = mail.direction === 'in' && kind === 'personal' && parsed.text.length > LONG_TEXT_CHARS
  return {
    ...mail,
    digest: isDraft ? draftDigest(raw) : mailDigest(raw),
    originalMessageId: originalIdOf(parsed),
    files: filesLine(parsed.attachments),
    recipients: isDraft ? recipientsLine(parsed.to, parsed.cc, parsed.bcc) : '',
    follows: original === undefined ? mail.follows : [...new Set([original, ...mail.follows])],
    kind,
    report,
    complaint,
    isAuthentic: mail.direction === 'in' && hasAuthenticSender(parsed, folder.authservId),
    // Classification runs on the main thread, where a long text would hold up everyone; here only this batch waits.
    intent: isLong ? classifyReply(parsed.text) : null,
    unsubscribe: kind === 'automatic' ? unsubscribeRequest(parsed) : null,
    snippet: parsed.snippet,
    attachmentNames: parsed.attachments
      .filter(({ inline }) => !inline)
      .slice(0, MAX_ATTACHMENT_NAMES)
      .map(({ name }) => name),
    body: {
      text: parsed.text,
      html: parsed.html ?? null,
      ccLine: addressLine(parsed.cc),
      bccLine: addressLine(parsed.bcc),
      replyToLine: addressLine(parsed.replyTo),
      files: parsed.attachments.map(({ name, type, size, contentId, inline }) => ({
        name,
        type,
        size,
        contentId: contentId ?? null,
        inline,
      })),
      raw,
    },
  }
}

/**
 * What an envelope alone says: enough for a list row. Null if it has no Message-ID to recognize the message by later;
 * such a message is fetched whole.
 */
export function incomingEnvelope(
  row: ImapEnvelopeRow,
  folder: FolderContext,
  fallbackDate: Date,
): IncomingMessage | null {
  const { envelope } = row
  const messageId = messageIds(envelope?.messageId ?? '')[0]
  if (envelope === null || messageId === undefined) return null
  const headers = {
    messageId,
    inReplyTo: messageIds(envelope.inReplyTo ?? '').slice(0, MAX_REFERENCES),
    references: [],
    date: envelope.date,
    ...sendersOf(envelope.from),
    to: envelope.to,
    cc: envelope.cc,
    subject: cleanText(envelope.subject),
  }
  const arrival = { flags: row.flags, size: row.size, receivedAt: row.internalDate ?? fallbackDate }
  return {
    ...common(headers, folder, arrival),
    digest: null,
    originalMessageId: null,
    files: '',
    recipients: '',
    kind: 'personal',
    snippet: '',
    attachmentNames: [],
    report: null,
    complaint: null,
    isAuthentic: false,
    intent: null,
    unsubscribe: null,
    body: null,
  }
}
