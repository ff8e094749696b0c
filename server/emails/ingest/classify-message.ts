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

export type Heard = { key: string; at: Date; replied: boolean; interested: boolean }

/** What follows from a mail that came in. */
export type Classification = {
  isReply: boolean
  intent: Intent | null
  heard: Heard[]
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
  const verdict: Classification = {
    isReply: false,
    intent: null,
    heard: [],
    suppress: [],
    bounced: [],
    reasons: [],
  }
  if (mail.direction === 'out') return verdict
  if (mail.kind === 'report') judgeReport(mail, ours, verdict)
  else if (mail.kind === 'complaint') judgeComplaint(mail, ours, verdict)
  else if (mail.unsubscribe !== null) judgeUnsubscribe(mail, ours, verdict)
  else judgeWords(mail, text, ours, verdict)
  return verdict
}

function judgeWords(mail: MailFacts, text: () => string, ours: OurMails, verdict: Classification): void {
  const named = namedBy(mail, ours)
  const afterOurs = isAfterOurs(mail, ours)
  const answers = named !== undefined || afterOurs
  if (answers && mail.kind === 'personal') verdict.intent = mail.intent ?? classifyReply(text())
  if (answers && mail.kind === 'automatic') verdict.intent = 'out_of_office'
  verdict.isReply = answers && mail.kind === 'personal' && verdict.intent !== 'out_of_office'
  if (mail.correspondentKey === '') return
  if (mail.folder !== 'spam' || verdict.isReply) {
    const heard = {
      at: mail.occurredAt,
      replied: verdict.isReply,
      interested: verdict.isReply && verdict.intent === 'interested',
    }
    // Who answers from another address is still the one we wrote to.
    const keys = new Set([
      mail.correspondentKey,
      ...(verdict.isReply && named !== undefined ? [named.correspondentKey] : []),
    ])
    verdict.heard = [...keys].filter((key) => key !== '').map((key) => ({ key, ...heard }))
  }
  if (verdict.isReply && verdict.intent === 'unsubscribe') {
    verdict.suppress = verdict.heard.map(({ key }) => ({
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

function judgeReport(mail: MailFacts, ours: OurMails, verdict: Classification): void {
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
    verdict.reasons.push({
      emailId: original?.id ?? about.id,
      reason: reason === '' ? 'The mail came back.' : reason,
    })
    if (!hard || dead === '') continue
    verdict.bounced.push(dead)
    verdict.suppress.push({ key: dead, reason: 'bounced', detail: reason })
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
function judgeUnsubscribe(mail: MailFacts, ours: OurMails, verdict: Classification): void {
  const token = mail.unsubscribe?.token
  const key = token === undefined ? mail.correspondentKey : ours.tokens.get(token)
  if (key === undefined || key === '' || (token === undefined && !ours.newestTo.has(key))) return
  verdict.intent = 'unsubscribe'
  verdict.suppress.push({ key, reason: 'unsubscribed', detail: 'By a mail of the mail program' })
}

function judgeComplaint(mail: MailFacts, ours: OurMails, verdict: Classification): void {
  if (mail.complaint === null || !isUnwanted(mail.complaint)) return
  const original = namedBy(mail, ours)
  const key = keyOf(mail.complaint.address ?? '')
  const about = original ?? ours.newestTo.get(key)
  if (about === undefined) return
  const complaining = ours.newestTo.has(key) ? key : about.correspondentKey
  if (complaining === '') return
  const reason = 'The recipient reported this mail as unwanted.'
  verdict.suppress.push({
    key: complaining,
    reason: 'complaint',
    detail: mail.complaint.feedbackType,
  })
  verdict.reasons.push({ emailId: about.id, reason })
}

/** Addresses whose newest mail of ours must be known before a mail can be judged. */
export function reportedKeys(mail: MailFacts): string[] {
  const reported = mail.report?.recipients.map(({ address }) => address) ?? []
  const complaining = mail.complaint?.address === undefined ? [] : [mail.complaint.address]
  const unsubscribing =
    mail.unsubscribe !== null && mail.unsubscribe.token === undefined ? [mail.correspondentKey] : []
  return [...reported, ...complaining, ...unsubscribing].map(keyOf).filter((key) => key !== '')
}
