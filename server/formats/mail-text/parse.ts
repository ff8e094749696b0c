import { decodeWords, type Attachment as PostalAttachment, type Email as PostalEmail } from 'postal-mime'
import { parseAddressList, type Address } from './addresses.ts'
import { attachmentName, attachmentType } from './attachment-names.ts'
import { withoutComments } from './comments.ts'
import { dateOf } from './dates.ts'
import { htmlToWords } from './html-to-words.ts'
import { MimeReader } from './mime-reader.ts'
import {
  countLines,
  isReadToTheEnd,
  readRoughly,
  repairBytes,
  roughTextOf,
  withFoldedParameters,
  withGuessedBoundary,
} from './rough.ts'
import { withoutQuoted } from './replies/replies.ts'
import { cleanText, cutText, hasWords, oneLine } from '../../platform/text.ts'

/** Limits on what a stranger's mail may cost; every limit that was hit is named in `faults`. */
export type MailLimits = typeof MAIL_LIMITS
const MAIL_LIMITS = {
  /** Bytes of the whole mail; of a longer one only the beginning is read. */
  rawBytes: 50_000_000,
  /** Lines of the whole mail: each costs the MIME reader an object (50 MB of base64 have 660,000). */
  lines: 700_000,
  /** Lines shorter than those of base64: 300,000 take two seconds to read. */
  shortLines: 300_000,
  /** Lines that could start a MIME part ("--…"). */
  parts: 20_000,
  /** Nested multiparts; a deeper mail is read roughly. */
  depth: 200,
  /** Bytes of the headers of all parts together. */
  headerBytes: 1_000_000,
  /** Characters of text kept. */
  textChars: 1_000_000,
  /** Characters of HTML kept. */
  htmlChars: 2_000_000,
  attachments: 500,
  /** Header lines kept, and characters of each. */
  headers: 500,
  headerChars: 20_000,
  subjectChars: 1_000,
  /** Message-Ids read from References. */
  references: 500,
}

const SNIPPET_CHARS = 300
/** The beginning of a text is enough for its snippet … */
const SNIPPET_SOURCE_CHARS = 8_000
/** … and this much of its new text: runs of blanks become one. */
const SNIPPET_READ_CHARS = 3 * SNIPPET_CHARS
/** RFC 5322 limits a line to 998 characters; longer ids are nonsense. */
const MAX_MESSAGE_ID_CHARS = 998

export type MailAttachment = {
  /** Safe as a file name: no path, no control characters, at most 150 characters. */
  name: string
  /** Lower-case `type/subtype`. */
  type: string
  size: number
  /** Without angle brackets. */
  contentId?: string
  /** True when the HTML shows it by `cid:`. */
  inline: boolean
  content: Uint8Array
  partIndex: number
}

export type ParsedMail = {
  /** Message-Ids are always without their angle brackets. */
  messageId?: string
  inReplyTo: string[]
  /** Oldest first, as in the header. */
  references: string[]
  date?: Date
  /** The first of From with an address, else its first name. */
  from: Address | null
  /** All of From that have an address. */
  senders: Address[]
  /** Reply-To; where From has no address, Sender is next (RFC 5322 3.6.2). */
  replyTo: Address[]
  to: Address[]
  cc: Address[]
  bcc: Address[]
  subject: string
  /** From text/plain, or derived from the HTML; line ends are `\n`. */
  text: string
  /** As received: sanitize before showing. */
  html?: string
  /** The first 300 characters of the new text, on one line. */
  snippet: string
  attachments: MailAttachment[]
  /** In order, unfolded, encoded words unchanged. */
  headers: { name: string; value: string }[]
  /** The first text/calendar part. */
  calendar?: string
  listId?: string
  listUnsubscribe?: { urls: string[]; oneClick: boolean }
  /** The keyword of RFC 3834, lower case, without parameters. */
  autoSubmitted?: string
  /** What could not be read as intended, described for the log. */
  faults: string[]
}

const ONLY_BEGINNING = 'what is behind the beginning was not read'
const THE_REST = 'the rest was dropped'

/** Whether all that a mail says is in what was read of it. */
export function isReadInFull({ faults }: Pick<ParsedMail, 'faults'>): boolean {
  return !faults.some((fault) => fault === ONLY_BEGINNING || fault.endsWith(THE_REST))
}

/** Whether a text may be the beginning of a longer one: it is kept up to a limit, or half a character less. */
export function isCutText(text: string): boolean {
  return text.length >= MAIL_LIMITS.textChars - 1
}

/** Nothing at all could be read. */
export class UnreadableMail extends Error {
  readonly code = 'UNREADABLE_MAIL'
  override readonly name = 'UnreadableMail'
}

/**
 * Reads a raw mail (RFC 5322, MIME) as well as possible: a broken one loses structure, never everything.
 *
 * @throws {UnreadableMail} only when there is neither a header nor a text
 */
export async function parseMail(raw: Uint8Array, limits: Partial<MailLimits> = {}): Promise<ParsedMail> {
  const caps = { ...MAIL_LIMITS, ...limits }
  const faults: string[] = []
  const bytes = repairBytes(raw, faults)
  if (bytes.length === 0) throw new UnreadableMail('The mail is empty.')
  const email = await readMime(bytes, caps, faults)
  if (email.headers.length === 0 && !hasWords(email.text ?? '') && email.attachments.length === 0) {
    throw new UnreadableMail('The mail has neither headers nor text.')
  }
  return present(email, caps, faults)
}

async function readMime(bytes: Uint8Array, caps: MailLimits, faults: string[]): Promise<PostalEmail> {
  const excess = excessOf(bytes, caps)
  if (excess) {
    faults.push(excess)
    return roughly(bytes, faults)
  }
  try {
    const email = await readParts(bytes, caps)
    if (!isMultipart(email) || saysSomething(email)) return email
    const folded = withFoldedParameters(bytes)
    const mended = folded === null ? email : await readParts(folded, caps)
    if (saysSomething(mended)) {
      faults.push('MIME parameters without their header were put back')
      return mended
    }
    if (hasParts(email)) return email
    const guessed = withGuessedBoundary(bytes)
    const again = guessed ? await readParts(guessed, caps) : email
    const isGuessed = hasParts(again)
    const text = isGuessed ? again.text : roughTextOf(bytes)
    if (!isGuessed && !isReadToTheEnd(bytes)) faults.push(ONLY_BEGINNING)
    if (!text && !hasParts(again)) return email
    faults.push('MIME boundary missing or wrong: parts were guessed')
    return { ...again, text, headers: email.headers }
  } catch (error) {
    faults.push(`MIME structure not readable: ${error instanceof Error ? error.message : 'unknown'}`)
    return roughly(bytes, faults)
  }
}

function roughly(bytes: Uint8Array, faults: string[]): PostalEmail {
  if (!isReadToTheEnd(bytes)) faults.push(ONLY_BEGINNING)
  return readRoughly(bytes)
}

function readParts(bytes: Uint8Array, caps: MailLimits): Promise<PostalEmail> {
  const reader = new MimeReader({
    maxNestingDepth: caps.depth,
    maxHeadersSize: caps.headerBytes,
    // An attached mail stays a file: its text is not the sender's.
    forceRfc822Attachments: true,
  })
  return reader.parse(bytes)
}

const isMultipart = ({ headers }: PostalEmail): boolean =>
  headers.some(({ key, value }) => key === 'content-type' && /^multipart\//i.test(value))

const hasParts = (email: PostalEmail): boolean => email.attachments.length > 0 || saysSomething(email)

const saysSomething = ({ text, html }: PostalEmail): boolean =>
  (text ?? '').trim() !== '' || (html ?? '').trim() !== ''

function excessOf(bytes: Uint8Array, caps: MailLimits): string | null {
  if (bytes.length > caps.rawBytes) return `larger than ${caps.rawBytes} bytes: only the beginning was read`
  const { lines, shortLines, partMarks } = countLines(bytes)
  if (lines > caps.lines || shortLines > caps.shortLines) return `${lines} lines: only the beginning was read`
  if (partMarks > caps.parts) return `more than ${caps.parts} parts: only the beginning was read`
  return null
}

function present(email: PostalEmail, caps: MailLimits, faults: string[]): ParsedMail {
  const headers = email.headers.slice(0, caps.headers).map(({ originalKey, value }) => ({
    name: cleanText(originalKey),
    value: cutText(cleanText(value), caps.headerChars),
  }))
  if (email.headers.length > caps.headers)
    faults.push(`more than ${caps.headers} headers: the last were dropped`)
  const byName = new Map<string, string[]>()
  for (const { key, value } of email.headers) {
    const values = byName.get(key)
    if (values === undefined) byName.set(key, [value])
    else values.push(value)
  }
  const everyHeader = (name: string) => byName.get(name) ?? []
  const header = (name: string) => everyHeader(name)[0] ?? ''
  const addresses = (name: string) => everyHeader(name).flatMap((value) => parseAddressList(value))
  const from = sendersOf(addresses('from'))
  const replyTo = addresses('reply-to').filter(reachable)

  const html = email.html ? keep('HTML', email.html, caps.htmlChars, faults) : undefined
  const text = textOf(email, html, caps, faults)
  const attachments = attachmentsOf(email.attachments, html ?? '', caps, faults)
  const calendar = attachments.find(({ type }) => type === 'text/calendar' || type === 'application/ics')

  const mail: ParsedMail = {
    inReplyTo: everyHeader('in-reply-to')
      .flatMap((value) => messageIds(value))
      .slice(0, caps.references),
    references: everyHeader('references')
      .flatMap((value) => messageIds(value))
      .slice(-caps.references),
    ...from,
    replyTo: replyTo.length > 0 || from.senders.length > 0 ? replyTo : addresses('sender').filter(reachable),
    to: addresses('to').filter(reachable),
    cc: addresses('cc').filter(reachable),
    bcc: addresses('bcc').filter(reachable),
    subject: cutText(oneLine(decodeWords(header('subject'))).replace(/ {2,}/g, ' '), caps.subjectChars),
    text,
    snippet: snippetOf(text),
    attachments,
    headers,
    faults,
  }
  const messageId = messageIds(header('message-id'))[0]
  if (messageId) mail.messageId = messageId
  const date = dateOf(header('date'))
  if (date) mail.date = date
  if (html !== undefined) mail.html = html
  if (calendar) mail.calendar = cutText(cleanText(new TextDecoder().decode(calendar.content)), caps.textChars)
  return Object.assign(mail, listFacts(header))
}

/** Who a From names: the mailbox that stands for it, and all that have an address. */
export function sendersOf(from: readonly Address[]): Pick<ParsedMail, 'from' | 'senders'> {
  const senders = from.filter(reachable)
  return { from: senders[0] ?? from[0] ?? null, senders }
}

const reachable = ({ address }: Address): boolean => address !== ''

function keep(what: string, text: string, limit: number, faults: string[]): string {
  const clean = cleanText(text)
  if (clean.length > limit) faults.push(`${what} longer than ${limit} characters: ${THE_REST}`)
  return cutText(clean, limit)
}

function textOf(email: PostalEmail, html: string | undefined, caps: MailLimits, faults: string[]): string {
  const given = (email.text ?? '').replace(/\r\n?/g, '\n').trimEnd()
  const plain = keep('text', given, caps.textChars, faults)
  // Some senders leave the plain alternative empty, or fill it with "your client cannot show HTML".
  const source = hasWords(plain) || html === undefined ? plain : htmlToWords(html)
  return source === plain ? plain : source.replace(/\r\n?/g, '\n').trimEnd()
}

function attachmentsOf(
  parts: PostalAttachment[],
  html: string,
  caps: MailLimits,
  faults: string[],
): MailAttachment[] {
  if (parts.length > caps.attachments) faults.push(`more than ${caps.attachments} attachments: ${THE_REST}`)
  const shown = parts.some(({ contentId }) => contentId) ? idsShown(html) : new Set()
  return parts.slice(0, caps.attachments).map((part, partIndex) => {
    const content = bytesOf(part.content)
    const type = attachmentType(part.mimeType)
    const contentId = part.contentId ? (messageIds(part.contentId)[0] ?? oneLine(part.contentId)) : ''
    const attachment: MailAttachment = {
      name: attachmentName(part.filename, type, content, partIndex),
      type,
      size: content.length,
      inline: contentId !== '' && shown.has(contentId),
      content,
      partIndex,
    }
    if (contentId !== '') attachment.contentId = contentId
    return attachment
  })
}

/** The parts that the HTML shows inline. */
function idsShown(html: string): Set<string> {
  return new Set([...html.matchAll(/\bcid:([^"'\s)>]{1,998})/gi)].map(([, id]) => decodedId(id ?? '')))
}

function decodedId(id: string): string {
  const plain = id.replaceAll('&amp;', '&')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function bytesOf(content: PostalAttachment['content']): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

/**
 * The ids of a Message-ID, In-Reply-To or References header without brackets and comments; bare ids are accepted too.
 */
export function messageIds(header: string): string[] {
  const value = withoutComments(cleanText(header))
  const bracketed = [...value.matchAll(/<([^<>]{1,2000})>/g)].map(([, id]) => (id ?? '').replace(/\s+/g, ''))
  const ids = bracketed.length > 0 ? bracketed : value.split(/[\s,<>]+/).filter((word) => word.includes('@'))
  return [...new Set(ids.filter((id) => id !== '' && id.length <= MAX_MESSAGE_ID_CHARS))]
}

function listFacts(
  header: (name: string) => string,
): Pick<ParsedMail, 'listId' | 'listUnsubscribe' | 'autoSubmitted'> {
  const facts: Pick<ParsedMail, 'listId' | 'listUnsubscribe' | 'autoSubmitted'> = {}
  const listId = oneLine(header('list-id'))
  if (listId !== '') facts.listId = cutText(/<([^<>]+)>/.exec(listId)?.[1] ?? listId, MAX_MESSAGE_ID_CHARS)
  const urls = [...header('list-unsubscribe').matchAll(/<\s*((?:https?|mailto):[^<>\s]{1,2000})\s*>/gi)].map(
    ([, url]) => cleanText(url ?? ''),
  )
  if (urls.length > 0)
    facts.listUnsubscribe = {
      urls: urls.slice(0, 10),
      oneClick: /one-click/i.test(header('list-unsubscribe-post')),
    }
  const autoSubmitted = /[a-z-]+/.exec(header('auto-submitted').toLowerCase())?.[0]
  if (autoSubmitted) facts.autoSubmitted = autoSubmitted
  return facts
}

function snippetOf(text: string): string {
  const source = cutText(text, SNIPPET_SOURCE_CHARS)
  const fresh = withoutQuoted(source, SNIPPET_READ_CHARS)
  return cutText((hasWords(fresh) ? fresh : source).replace(/\s+/g, ' ').trim(), SNIPPET_CHARS).trim()
}

/** The first value of each header, by its lower-case name. Kept per mail, because some twenty headers of each mail are read. */
const firstValues = new WeakMap<ParsedMail['headers'], Map<string, string>>()

/** The first value of a header, or ''. */
export function headerOf({ headers }: Pick<ParsedMail, 'headers'>, name: string): string {
  let values = firstValues.get(headers)
  if (values === undefined) {
    values = new Map(headers.toReversed().map((header) => [header.name.toLowerCase(), header.value]))
    firstValues.set(headers, values)
  }
  return values.get(name.toLowerCase()) ?? ''
}
