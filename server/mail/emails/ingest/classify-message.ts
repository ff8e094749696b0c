import { isUnwanted } from '../../../formats/mail-text/bounces/complaints.ts'
import { isFeedbackSource } from '../../../formats/mail-text/bounces/feedback-sources.ts'
import type { Intent } from '#contract/mail/email.ts'
import { classifyReply } from '../../../formats/mail-text/intents/intents.ts'
import { cutText } from '../../../platform/text.ts'
import { keyOf, type MailFacts } from './incoming-message.ts'

/** Before what a report says that names no message of ours: anybody can have written it. */
const HEARSAY = 'Not confirmed, because the report names none of your emails:'
/** What a report says in our words; the server's own follow. The screens know them by their beginning. */
const NOT_DELIVERED = 'Not delivered.'
const DELAYED = 'Delayed. The server is still trying.'
/** A remote server's diagnostic is cut to this length. */
const MAX_REASON_CHARS = 500

/** A message that the user sent. */
type OurMail = { id: number; correspondentKey: string }

/** A message of the user's that has left, with all whom it went to. */
type SentMail = OurMail & { recipientKeys: readonly string[] }

/** What is known about the user's sent messages. */
export type OurMails = {
  byMessageId: ReadonlyMap<string, OurMail>
  /** Those that have left, by Message-ID: only somebody who got such a message, or carried it, can name it. */
  left: ReadonlyMap<string, SentMail>
  /** The newest message to each address. */
  newestTo: ReadonlyMap<string, OurMail>
  /** Contacts we have mailed, with the time of the first message. */
  contactsMailed: ReadonlyMap<string, Date>
  /** The messages whose unsubscribe tokens occur in subjects or returned messages; only valid tokens of this user. */
  tokens: ReadonlyMap<string, SentMail>
}

export type ReceivedFrom = { key: string; at: Date; replied: boolean; interested: boolean }

/** What follows from a received message. */
export type Classification = {
  isReply: boolean
  intent: Intent | null
  receivedFrom: ReceivedFrom[]
  suppress: {
    key: string
    reason: 'bounced' | 'complaint' | 'unsubscribed' | 'asked'
    detail: string
  }[]
  /** Addresses that decline with it: the sender's, and that of the recipient whom our mail went to. */
  refused: string[]
  bounced: string[]
  /** Of those suppressed, which message failed; `isCertain` if nobody whom the user has mailed can have written this. */
  failures: {
    key: string
    reason: 'bounced' | 'complaint'
    detail: string
    emailId: number
    isCertain: boolean
  }[]
  /** What remote servers reported about our messages; `isProven` if the report names the message. */
  reasons: { emailId: number; reason: string; isProven: boolean }[]
  /** A delivery report about an address that we wrote to. */
  isReport: boolean
}

/**
 * Classifies a message whose body is known. A reply is personal mail that refers to one of our messages or, failing
 * that, comes from a contact we mailed before. Delivery reports, automatic answers and list mail are never replies.
 * Reports and complaints suppress only whom a message went to that they name, because anyone can send such a message; others
 * are shown beside our newest message, and nothing else follows from them. docs/mail.md has the table.
 */
export function classifyMessage(mail: MailFacts, text: () => string, ours: OurMails): Classification {
  const classification: Classification = {
    isReply: false,
    intent: null,
    receivedFrom: [],
    suppress: [],
    refused: [],
    bounced: [],
    failures: [],
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
  if (classification.isReply && classification.intent === 'not_interested') {
    // If our mail went to several, the sender does not answer for the others.
    const hadOneRecipient = provenBy(mail, ours)?.recipientKeys.length === 1
    classification.refused = classification.receivedFrom
      .map(({ key }) => key)
      .filter((key) => hadOneRecipient || key === mail.correspondentKey)
  }
  if (classification.isReply && classification.intent === 'unsubscribe') {
    classification.suppress = classification.receivedFrom.map(({ key }) => ({
      key,
      reason: isByThemselves(mail, key, ours) ? 'unsubscribed' : 'asked',
      detail: 'Asked to unsubscribe in a reply',
    }))
  }
}

function namedBy(mail: MailFacts, ours: OurMails): OurMail | undefined {
  return mail.follows.map((id) => ours.byMessageId.get(id)).find((found) => found !== undefined)
}

/** The message of ours that this one names by its Message-ID or a token, if it has left. */
function provenBy(mail: MailFacts, ours: OurMails): SentMail | undefined {
  const ids = mail.follows.map((id) => ours.left.get(id))
  const token = mail.report?.originalToken ?? mail.complaint?.originalToken
  return (
    ids.find((found) => found !== undefined) ?? (token === undefined ? undefined : ours.tokens.get(token))
  )
}

/** True if the owner of this address wrote this: the server has checked it, or it names a message that nobody else got. */
function isByThemselves(mail: MailFacts, key: string, ours: OurMails): boolean {
  const named = provenBy(mail, ours)
  const isOnlyRecipient = named?.recipientKeys.length === 1 && named.recipientKeys[0] === key
  return isOnlyRecipient || (mail.isAuthentic && key === mail.correspondentKey)
}

const isFromFeedbackSource = ({ isAuthentic, correspondentKey }: MailFacts): boolean =>
  isAuthentic && isFeedbackSource(correspondentKey)

/** Any of several recipients can accuse the others: of such a message, only a provider's report says who it is. */
const tellsWhoItIs = (mail: MailFacts, about: SentMail): boolean =>
  about.recipientKeys.length === 1 || isFromFeedbackSource(mail)

/** Whose message failed, by what a report calls them; the same mailbox under a host name of its domain counts. */
function recipientNamed(key: string, about: SentMail): string | undefined {
  return (
    about.recipientKeys.find((each) => each === key) ??
    about.recipientKeys.find((each) => isWithinDomain(key, each))
  )
}

function isAfterOurs(mail: MailFacts, ours: OurMails): boolean {
  const since = ours.contactsMailed.get(mail.correspondentKey)
  if (since === undefined || mail.folder === 'spam') return false
  // Either clock may be wrong: the sender's or that of a server on the way.
  return mail.occurredAt >= since || mail.receivedAt >= since
}

function classifyReport(mail: MailFacts, ours: OurMails, classification: Classification): void {
  const about = provenBy(mail, ours)
  const failures = (mail.report?.recipients ?? []).filter(
    ({ action }) => action === 'failed' || action === 'delayed',
  )
  for (const { address, action, hard, status = '', diagnostic } of failures) {
    // Most servers repeat the status in their words.
    const words = (diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`).trim()
    const reason = cutText(words, MAX_REASON_CHARS)
    const key = keyOf(address)
    const meaning = action === 'delayed' ? DELAYED : NOT_DELIVERED
    showReason(mail, key, reason, ours, classification, meaning)
    if (about === undefined) continue
    // A forwarded message bounces from an address we never wrote to: the one we did write to may be alive.
    const dead = recipientNamed(key, about)
    if (!hard || dead === undefined || !tellsWhoItIs(mail, about)) continue
    classification.bounced.push(dead)
    noteFailure(mail, { key: dead, reason: 'bounced', detail: reason }, about, classification)
  }
}

function noteFailure(
  mail: MailFacts,
  failure: { key: string; reason: 'bounced' | 'complaint'; detail: string },
  about: SentMail,
  classification: Classification,
): void {
  classification.suppress.push(failure)
  classification.failures.push({ ...failure, emailId: about.id, isCertain: isFromFeedbackSource(mail) })
}

/** Shows what is said beside the message that it names, else beside our newest one to that address, as hearsay. */
function showReason(
  mail: MailFacts,
  key: string,
  reason: string,
  ours: OurMails,
  classification: Classification,
  meaning = '',
): void {
  const about = provenBy(mail, ours)
  const shown = about ?? ours.newestTo.get(key)
  if (shown === undefined) return
  classification.isReport = mail.kind === 'report'
  const words = about === undefined ? `${HEARSAY} ${reason || meaning}` : `${meaning} ${reason}`.trim()
  classification.reasons.push({ emailId: shown.id, reason: words, isProven: about !== undefined })
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
  const key = token === undefined ? mail.correspondentKey : ours.tokens.get(token)?.correspondentKey
  if (key === undefined || key === '' || (token === undefined && !ours.newestTo.has(key))) return
  classification.intent = 'unsubscribe'
  const reason = token !== undefined || isByThemselves(mail, key, ours) ? 'unsubscribed' : 'asked'
  classification.suppress.push({ key, reason, detail: 'Unsubscribed in their mail program' })
}

function classifyComplaint(mail: MailFacts, ours: OurMails, classification: Classification): void {
  if (mail.complaint === null || !isUnwanted(mail.complaint)) return
  const key = keyOf(mail.complaint.address ?? '')
  showReason(mail, key, 'The recipient reported this mail as unwanted.', ours, classification)
  const about = provenBy(mail, ours)
  if (about === undefined || !tellsWhoItIs(mail, about)) return
  // Providers black the address out, and forwarded mail is complained about by others than we wrote to.
  const [only = ''] = about.recipientKeys.length === 1 ? about.recipientKeys : []
  const complaining = recipientNamed(key, about) ?? only
  if (complaining === '') return
  const detail = mail.complaint.feedbackType
  noteFailure(mail, { key: complaining, reason: 'complaint', detail }, about, classification)
}

/** Addresses whose newest message from us must be known before this message can be classified. */
export function reportedKeys(mail: MailFacts): string[] {
  const reported = mail.report?.recipients.map(({ address }) => address) ?? []
  const complaining = mail.complaint?.address === undefined ? [] : [mail.complaint.address]
  const unsubscribing =
    mail.unsubscribe !== null && mail.unsubscribe.token === undefined ? [mail.correspondentKey] : []
  return [...reported, ...complaining, ...unsubscribing].map(keyOf).filter((key) => key !== '')
}
