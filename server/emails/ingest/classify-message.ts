import { isUnwanted } from '../../mail/bounces/complaints.ts'
import { classifyReply, type Intent } from '../../mail/intents/intents.ts'
import { cutText } from '../../mail/words.ts'
import { keyOf, type MailFacts } from './incoming-message.ts'

/** A remote server's diagnostic is cut to this length. */
const MAX_REASON_CHARS = 500

/** A message that the user sent. */
type OurMail = { id: number; correspondentKey: string }

/** What is known about the user's sent messages. */
export type OurMails = {
  byMessageId: ReadonlyMap<string, OurMail>
  /** The newest message to each address. */
  newestTo: ReadonlyMap<string, OurMail>
  /** Contacts we have mailed, with the time of the first message. */
  contactsMailed: ReadonlyMap<string, Date>
  /** Recipients of the messages whose unsubscribe tokens occur in subjects; only valid tokens of this user. */
  tokens: ReadonlyMap<string, string>
}

export type ReceivedFrom = { key: string; at: Date; replied: boolean; interested: boolean }

/** What follows from a received message. */
export type Classification = {
  isReply: boolean
  intent: Intent | null
  receivedFrom: ReceivedFrom[]
  suppress: {
    key: string
    reason: 'bounced' | 'complaint' | 'unsubscribed'
    detail: string
  }[]
  bounced: string[]
  /** What remote servers reported about our messages. */
  reasons: { emailId: number; reason: string }[]
  /** A delivery report about a message of ours: all that it says is known. */
  isReport: boolean
}

/**
 * Classifies a message whose body is known. A reply is personal mail that refers to one of our messages or, failing
 * that, comes from a contact we mailed before. Delivery reports, automatic answers and list mail are never replies.
 * Reports and complaints only count for addresses we have written to, because anyone can send such a message.
 */
export function classifyMessage(mail: MailFacts, text: () => string, ours: OurMails): Classification {
  const classification: Classification = {
    isReply: false,
    intent: null,
    receivedFrom: [],
    suppress: [],
    bounced: [],
    reasons: [],
    isReport: false,
  }
  if (mail.direction === 'out') return classification
  if (mail.kind === 'report') classifyReport(mail, ours, classification)
  else if (mail.kind === 'complaint') classifyComplaint(mail, ours, classification)
  else if (mail.unsubscribe !== null) classifyUnsubscribe(mail, ours, classification)
  else classifyText(mail, text, ours, classification)
  return classification
}

function classifyText(
  mail: MailFacts,
  text: () => string,
  ours: OurMails,
  classification: Classification,
): void {
  const named = namedBy(mail, ours)
  const afterOurs = isAfterOurs(mail, ours)
  const answers = named !== undefined || afterOurs
  if (answers && mail.kind === 'personal') classification.intent = mail.intent ?? classifyReply(text())
  if (answers && mail.kind === 'automatic') classification.intent = 'out_of_office'
  classification.isReply = answers && mail.kind === 'personal' && classification.intent !== 'out_of_office'
  if (mail.correspondentKey === '') return
  if (mail.folder !== 'spam' || classification.isReply) {
    const receivedFrom = {
      at: mail.occurredAt,
      replied: classification.isReply,
      interested: classification.isReply && classification.intent === 'interested',
    }
    // Someone who answers from another address is still the person we wrote to.
    const keys = new Set([
      mail.correspondentKey,
      ...(classification.isReply && named !== undefined ? [named.correspondentKey] : []),
    ])
    classification.receivedFrom = [...keys]
      .filter((key) => key !== '')
      .map((key) => ({ key, ...receivedFrom }))
  }
  if (classification.isReply && classification.intent === 'unsubscribe') {
    classification.suppress = classification.receivedFrom.map(({ key }) => ({
      key,
      reason: 'unsubscribed',
      detail: 'Asked to unsubscribe in a reply',
    }))
  }
}

function namedBy(mail: MailFacts, ours: OurMails): OurMail | undefined {
  return mail.follows.map((id) => ours.byMessageId.get(id)).find((found) => found !== undefined)
}

function isAfterOurs(mail: MailFacts, ours: OurMails): boolean {
  const since = ours.contactsMailed.get(mail.correspondentKey)
  if (since === undefined || mail.folder === 'spam') return false
  // Either clock may be wrong: the sender's or that of a server on the way.
  return mail.occurredAt >= since || mail.receivedAt >= since
}

function classifyReport(mail: MailFacts, ours: OurMails, classification: Classification): void {
  const original = namedBy(mail, ours)
  const failures = (mail.report?.recipients ?? []).filter(
    ({ action }) => action === 'failed' || action === 'delayed',
  )
  for (const { address, hard, status, diagnostic } of failures) {
    const reason = cutText(
      [status, diagnostic].filter((word) => word !== undefined && word !== '').join(' '),
      MAX_REASON_CHARS,
    )
    const key = keyOf(address)
    // A forwarded message bounces from an address we never wrote to. The address we did write to may have forwarded
    // it to others as well, so it only counts as dead if it is the same mailbox under a host name of its domain.
    const about = ours.newestTo.get(key) ?? original
    if (about === undefined) continue
    const led = isWithinDomain(key, about.correspondentKey) ? about.correspondentKey : ''
    const dead = ours.newestTo.has(key) ? key : led
    classification.reasons.push({
      emailId: original?.id ?? about.id,
      reason: reason === '' ? 'The message bounced.' : reason,
    })
    classification.isReport = true
    if (!hard || dead === '') continue
    classification.bounced.push(dead)
    classification.suppress.push({ key: dead, reason: 'bounced', detail: reason })
  }
}

/** "bob@mail.example.org" for "bob@example.org". */
function isWithinDomain(inner: string, outer: string): boolean {
  const [innerAt, outerAt] = [inner.lastIndexOf('@'), outer.lastIndexOf('@')]
  if (innerAt < 1 || inner.slice(0, innerAt) !== outer.slice(0, outerAt)) return false
  return inner.slice(innerAt + 1).endsWith(`.${outer.slice(outerAt + 1)}`)
}

/**
 * A mail program unsubscribes its owner. The token of one of our messages identifies the recipient, whatever address
 * the request comes from, because mail gets forwarded. Without a token it is the sender, if we have written there.
 */
function classifyUnsubscribe(mail: MailFacts, ours: OurMails, classification: Classification): void {
  const token = mail.unsubscribe?.token
  const key = token === undefined ? mail.correspondentKey : ours.tokens.get(token)
  if (key === undefined || key === '' || (token === undefined && !ours.newestTo.has(key))) return
  classification.intent = 'unsubscribe'
  classification.suppress.push({ key, reason: 'unsubscribed', detail: 'Unsubscribed in their mail program' })
}

function classifyComplaint(mail: MailFacts, ours: OurMails, classification: Classification): void {
  if (mail.complaint === null || !isUnwanted(mail.complaint)) return
  const original = namedBy(mail, ours)
  const key = keyOf(mail.complaint.address ?? '')
  const about = original ?? ours.newestTo.get(key)
  if (about === undefined) return
  const complaining = ours.newestTo.has(key) ? key : about.correspondentKey
  if (complaining === '') return
  const reason = 'The recipient reported this mail as unwanted.'
  classification.suppress.push({
    key: complaining,
    reason: 'complaint',
    detail: mail.complaint.feedbackType,
  })
  classification.reasons.push({ emailId: about.id, reason })
}

/** Addresses whose newest message from us must be known before this message can be classified. */
export function reportedKeys(mail: MailFacts): string[] {
  const reported = mail.report?.recipients.map(({ address }) => address) ?? []
  const complaining = mail.complaint?.address === undefined ? [] : [mail.complaint.address]
  const unsubscribing =
    mail.unsubscribe !== null && mail.unsubscribe.token === undefined ? [mail.correspondentKey] : []
  return [...reported, ...complaining, ...unsubscribing].map(keyOf).filter((key) => key !== '')
}
