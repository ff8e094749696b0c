import { isUnwanted } from '../../mail/bounces/complaints.ts'
import { classifyReply, type Intent } from '../../mail/intents/intents.ts'
import { cutText } from '../../mail/words.ts'
import { keyOf, type MailFacts } from './incoming-message.ts'

/** What the far server said is kept up to here. */
const MAX_REASON_CHARS = 500

/** A mail of ours that was written to somebody. */
type OurMail = { id: number; correspondentKey: string }

/** What is known of the user's own mails. */
export type OurMails = {
  byMessageId: ReadonlyMap<string, OurMail>
  /** The newest mail that went to an address. */
  newestTo: ReadonlyMap<string, OurMail>
  /** Contacts that were mailed, and when first. */
  contactsMailed: ReadonlyMap<string, Date>
  /** To whom the mails went whose tokens are named in subjects: only valid ones, only of this user. */
  tokens: ReadonlyMap<string, string>
}

export type ReceivedFrom = { key: string; at: Date; replied: boolean; interested: boolean }

/** What follows from a mail that came in. */
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
  /** What became of mails of ours, in the far server's words. */
  reasons: { emailId: number; reason: string }[]
}

/**
 * Judges a mail whose body is there. A reply is personal mail that names one of ours or, failing that, comes from a
 * contact after a mail of ours; a delivery report, an automatic answer or list mail never is. Reports and complaints
 * count only for addresses that we have written to: anybody can send such a mail.
 */
export function classifyMessage(mail: MailFacts, text: () => string, ours: OurMails): Classification {
  const classification: Classification = {
    isReply: false,
    intent: null,
    receivedFrom: [],
    suppress: [],
    bounced: [],
    reasons: [],
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
    // Who answers from another address is still the one we wrote to.
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
      detail: 'Asked for it in a reply',
    }))
  }
}

function namedBy(mail: MailFacts, ours: OurMails): OurMail | undefined {
  return mail.follows.map((id) => ours.byMessageId.get(id)).find((found) => found !== undefined)
}

function isAfterOurs(mail: MailFacts, ours: OurMails): boolean {
  const since = ours.contactsMailed.get(mail.correspondentKey)
  if (since === undefined || mail.folder === 'spam') return false
  // Either clock may be wrong: the sender's or that of the server on the way.
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
    // A mail that was led on comes back from an address that we never wrote to. The one that we did write to may have
    // led it to others as well: it is dead only where it is the same mailbox under the name of a host.
    const about = ours.newestTo.get(key) ?? original
    if (about === undefined) continue
    const led = isWithinDomain(key, about.correspondentKey) ? about.correspondentKey : ''
    const dead = ours.newestTo.has(key) ? key : led
    classification.reasons.push({
      emailId: original?.id ?? about.id,
      reason: reason === '' ? 'The mail came back.' : reason,
    })
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
 * A mail program takes its owner off the list: by the token of a mail of ours, whatever address it comes from, since
 * mail is led on; without one the sender, where we have written there.
 */
function classifyUnsubscribe(mail: MailFacts, ours: OurMails, classification: Classification): void {
  const token = mail.unsubscribe?.token
  const key = token === undefined ? mail.correspondentKey : ours.tokens.get(token)
  if (key === undefined || key === '' || (token === undefined && !ours.newestTo.has(key))) return
  classification.intent = 'unsubscribe'
  classification.suppress.push({ key, reason: 'unsubscribed', detail: 'By a mail of the mail program' })
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

/** Addresses whose newest mail of ours must be known before a mail can be judged. */
export function reportedKeys(mail: MailFacts): string[] {
  const reported = mail.report?.recipients.map(({ address }) => address) ?? []
  const complaining = mail.complaint?.address === undefined ? [] : [mail.complaint.address]
  const unsubscribing =
    mail.unsubscribe !== null && mail.unsubscribe.token === undefined ? [mail.correspondentKey] : []
  return [...reported, ...complaining, ...unsubscribing].map(keyOf).filter((key) => key !== '')
}
