import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { addressKey, asciiDomain, isSendable, wireAddress, type Address } from './addresses.ts'
import { cutText, oneLine } from '../../platform/text.ts'

export type ComposedAttachment = {
  name: string
  type: string
  /** A stream is read to its end, once. */
  content: Uint8Array | Readable
  contentId?: string
  inline?: boolean
}

export type ComposeInput = {
  /** With or without angle brackets. */
  messageId: string
  date: Date
  from: Address
  to: Address[]
  cc?: Address[]
  /** In the envelope only, never in the mail, unless it is a draft. */
  bcc?: Address[]
  /** A draft for the user's own account: it keeps its Bcc line. */
  isDraft?: boolean
  replyTo?: Address | Address[]
  subject: string
  text: string
  html?: string
  inReplyTo?: string
  references?: string[]
  /**
   * Ways to unsubscribe (RFC 2369), as URLs: a web page, to which a mail program may POST (RFC 8058), and what
   * `mailtoUrl` returns.
   */
  listUnsubscribe?: { url?: string; mailto?: string }
  /** RFC 3834, e.g. `auto-generated`. */
  autoSubmitted?: string
  attachments?: ComposedAttachment[]
  /** Makes the bytes reproducible: the seed of the boundaries, otherwise random. */
  boundary?: string
  /** Further header lines; those that this function writes itself are ignored. */
  headers?: Record<string, string>
}

export type ComposedMail = {
  raw: Buffer
  /** Bare addresses, domains in ASCII, without duplicates. */
  envelope: { from: string; to: string[] }
  /** Without angle brackets. */
  messageId: string
}

/** RFC 5322 2.1.1: the maximum length of a header line; a subject of this length still fits when encoded and folded. */
const MAX_SUBJECT_CHARS = 900
const MAX_NAME_CHARS = 200
const MAX_EXTRA_HEADER_CHARS = 900

const OWN_HEADERS =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|mime-version|content-.*|list-unsubscribe.*|auto-submitted|return-path|received|dkim-signature)$/i

/** An address that cannot be written into a mail. */
export class UnsendableAddress extends Error {
  readonly code = 'UNSENDABLE_ADDRESS'
  override readonly name = 'UnsendableAddress'
  readonly address: string
  constructor(address: string) {
    super(`"${oneLine(address).slice(0, 100)}" is not an email address.`)
    this.address = address
  }
}

type MimeNode = ReturnType<MailComposer['compile']>

/**
 * A mail as bytes for SMTP, with CRLF and lines of at most 998 octets, and its envelope. Nothing in the input can add
 * a header or a recipient.
 *
 * @throws {UnsendableAddress}
 */
export async function composeMail(input: ComposeInput): Promise<ComposedMail> {
  const messageId = cleanMessageId(input.messageId)
  const recipients = [...input.to, ...(input.cc ?? []), ...(input.bcc ?? [])].map(
    (address) => checked(address).address,
  )
  const composer = new MailComposer({
    from: checked(input.from),
    to: input.to.map(checked),
    ...(input.cc?.length ? { cc: input.cc.map(checked) } : {}),
    ...(input.isDraft === true && input.bcc?.length ? { bcc: input.bcc.map(checked) } : {}),
    ...(replyTos(input).length > 0 ? { replyTo: replyTos(input).map(checked) } : {}),
    subject: subjectLine(input.subject),
    text: bodyText(input.text),
    ...(input.html === undefined ? {} : { html: bodyText(input.html) }),
    messageId: `<${messageId}>`,
    date: input.date,
    ...(input.inReplyTo ? { inReplyTo: `<${cleanMessageId(input.inReplyTo)}>` } : {}),
    ...(input.references?.length
      ? { references: input.references.map((id) => `<${cleanMessageId(id)}>`).join(' ') }
      : {}),
    headers: [
      ...extraHeaders(input),
      ...Object.entries(machineHeaders(input)).map(([key, value]) => ({
        key,
        value: { prepared: true, value },
      })),
    ],
    attachments: (input.attachments ?? []).map(nodemailerAttachment),
    ...boundaryOf(input),
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const node = composer.compile()
  keepBlankEnds(node, bodyText(input.text))
  node.keepBcc = input.isDraft === true
  // The addresses are checked and as they go over the wire; the library would take "<" out of a quoted local part.
  Object.assign(node, { _normalizeAddress: (address: string) => address })
  const raw = await node.build()
  return {
    raw,
    messageId,
    envelope: {
      from: checked(input.from).address,
      to: [...new Map(recipients.map((address) => [addressKey(address), address])).values()],
    },
  }
}

/**
 * Servers strip blanks from line ends, even from a signature's separator (RFC 3676 4.3): text with such a line is
 * encoded even where it could be sent as it is.
 */
function keepBlankEnds(node: MimeNode, text: string): void {
  if (!/ (?:\n|$)/.test(text) || !/^[\t\n\x20-\x7e]*$/.test(text)) return
  if (node.content === text) node.setHeader('Content-Transfer-Encoding', 'quoted-printable')
  for (const child of node.childNodes) keepBlankEnds(child, text)
}

function nodemailerAttachment(attachment: ComposedAttachment) {
  const contentId = attachment.contentId ? cleanMessageId(attachment.contentId) : undefined
  return {
    filename: oneLine(attachment.name).replace(/[/\\]/g, '_').slice(0, 200) || 'attachment',
    contentType: /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i.test(attachment.type)
      ? attachment.type
      : 'application/octet-stream',
    content: bytesOf(attachment.content),
    contentDisposition: attachment.inline ? 'inline' : 'attachment',
    // A message part may not be encoded (RFC 2046 5.2.1) but must survive 7-bit relays: send it as a plain file.
    contentTransferEncoding: 'base64',
    ...(contentId ? { cid: contentId } : {}),
  }
}

function bytesOf(content: ComposedAttachment['content']): Buffer | Readable {
  if (!(content instanceof Uint8Array)) return content
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

/** A boundary that occurs in no part: a hash, which nobody could have written in advance. */
function boundaryOf({ boundary }: ComposeInput): { baseBoundary?: string } {
  if (boundary === undefined) return {}
  return { baseBoundary: createHash('sha256').update(boundary).digest('hex').slice(0, 24) }
}

function extraHeaders({ headers = {} }: ComposeInput): { key: string; value: string }[] {
  return Object.entries(headers)
    .filter(([key]) => /^[A-Za-z0-9-]{1,70}$/.test(key) && !OWN_HEADERS.test(key))
    .map(([key, value]) => ({ key, value: cutText(oneLine(value), MAX_EXTRA_HEADER_CHARS) }))
}

/** Header lines with an ASCII value that must stay as it is. */
export function machineHeaders(
  input: Pick<ComposeInput, 'listUnsubscribe' | 'autoSubmitted'>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  const { listUnsubscribe, autoSubmitted } = input
  const ways = listUnsubscribe === undefined ? [] : waysOut(listUnsubscribe)
  // One line each: together they would be longer than a line should be (RFC 5322 2.1.1).
  if (ways.length > 0) headers['List-Unsubscribe'] = ways.map((way) => `<${way}>`).join(',\r\n ')
  if (listUnsubscribe?.url !== undefined) headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
  if (autoSubmitted && /^[a-z-]{1,40}$/.test(autoSubmitted)) headers['Auto-Submitted'] = autoSubmitted
  return headers
}

/**
 * Mail programs use the first option that they support (RFC 2369 2): the web page, except that one without TLS, which
 * is no one-click page (RFC 8058 3.1), comes after the mail address.
 */
function waysOut({ url, mailto }: NonNullable<ComposeInput['listUnsubscribe']>): string[] {
  const page = url === undefined ? [] : [new URL(url).href]
  const mail = mailto === undefined ? [] : [mailto]
  const ways = page[0]?.startsWith('https:') === true ? [...page, ...mail] : [...mail, ...page]
  return ways.map((way) => way.replace(/[^\x21-\x7e]|[<>]/g, ''))
}

/** A mailto URL (RFC 6068). @throws UnsendableAddress */
export function mailtoUrl(address: string, subject: string): string {
  const { address: plain } = checked({ name: '', address })
  // Characters with a meaning of their own in a URL are escaped, except "@".
  return `mailto:${encodeURIComponent(plain).replace(/%40(?=[^%]*$)/, '@')}?subject=${encodeURIComponent(subject)}`
}

export const replyTos = ({ replyTo }: Pick<ComposeInput, 'replyTo'>): Address[] =>
  replyTo === undefined ? [] : Array.isArray(replyTo) ? replyTo : [replyTo]

/** The address as it may be written; throws {@link UnsendableAddress}. */
export function checked({ name, address }: Address): Address {
  const trimmed = address.trim()
  if (!isSendable(trimmed)) throw new UnsendableAddress(address)
  return { name: cutText(plainWords(name), MAX_NAME_CHARS), address: wireAddress(trimmed) }
}

export function subjectLine(subject: string): string {
  return cutText(plainWords(subject).replace(/ {2,}/g, ' '), MAX_SUBJECT_CHARS)
}

/** One line in which no reader finds an encoded word (RFC 2047) that the sender did not intend. */
function plainWords(words: string): string {
  return oneLine(words).replaceAll('=?', '= ?')
}

/** Uniform line ends, without NUL and lone surrogates. */
export function bodyText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().replace(/\r\n?/g, '\n')
}

/** An id without brackets and without anything that could end the header line. */
export function cleanMessageId(id: string): string {
  return id.replace(/[^\x21-\x7e]|[<>]/g, '').slice(0, 900)
}

/** A new Message-ID (without brackets) in the domain of the sender's address. */
export function mintMessageId(domainOf: string, random: () => string = randomUUID): string {
  const domain = asciiDomain(domainOf.slice(domainOf.lastIndexOf('@') + 1)).replace(/[^a-z0-9.-]/g, '')
  return `${random()}@${domain || 'localhost'}`
}
