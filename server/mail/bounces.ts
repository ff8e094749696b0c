import { addressKey, isSendable } from './addresses.ts'
import { fieldsOf, recipientAddress, standardRecipients, statusParts } from './bounce-fields.ts'
import { ADDRESS, originalHead, partText } from './bounce-parts.ts'
import { guessed, isNotification, MAX_RECIPIENTS, spokenRecipients } from './bounce-text.ts'
import type { ReportedRecipient } from './bounce-verdict.ts'
import { DAEMON, REPORT_SENTENCE, REPORT_SUBJECT } from './bounce-words.ts'
import { headerOf, messageIds } from './parse.ts'
import type { ParsedMail } from './parse.ts'

export type DeliveryReport = {
  recipients: ReportedRecipient[]
  /** Message-Id of the mail reported on, without brackets. */
  originalMessageId?: string
}
export type Complaint = { address?: string; originalMessageId?: string; feedbackType: string }

/** True for a delivery report, standard (RFC 3464) or in a mail server's own words. */
export function isDeliveryReport(mail: ParsedMail): boolean {
  if (isOtherReport(mail)) return false
  if (statusParts(mail).length > 0) return true
  const contentType = headerOf(mail, 'content-type').toLowerCase()
  if (/multipart\/report/.test(contentType) && /report-type\s*=\s*"?delivery-status/.test(contentType))
    return true
  if (isNotification(mail)) return true
  const beginning = mail.text.slice(0, 4_000)
  const spoken = REPORT_SUBJECT.test(mail.subject) || headerOf(mail, 'x-failed-recipients') !== ''
  // Asked last: it reads the words of every mail that comes in.
  const told = () => REPORT_SENTENCE.test(beginning)
  if (isFromDaemon(mail)) return spoken || told()
  return spoken ? told() || isFromNobody(mail) : isFromMachine(mail) && told()
}

/** Receipts ("was displayed") are reports too, but not on delivery. */
function isOtherReport(mail: ParsedMail): boolean {
  return /report-type\s*=\s*"?(?:disposition-notification|feedback-report)/i.test(
    headerOf(mail, 'content-type'),
  )
}

function isFromDaemon({ from }: ParsedMail): boolean {
  if (!from) return false
  return DAEMON.test(from.address) || DAEMON.test(from.name)
}

function isFromNobody(mail: ParsedMail): boolean {
  return /^\s*<\s*>\s*$/.test(headerOf(mail, 'return-path')) || !mail.from || mail.from.address === ''
}

function isFromMachine(mail: ParsedMail): boolean {
  if (isFromNobody(mail)) return true
  return /^(?:no-?reply|do-?not-?reply|sysadmin|administrator|admin|root|system|bounces?|owner|mailserver|[\w.-]+-(?:admin|owner|request))@/i.test(
    mail.from?.address ?? '',
  )
}

/** The far servers' verdicts on each recipient, or null when the mail is no delivery report. */
export function readDeliveryReport(mail: ParsedMail): DeliveryReport | null {
  if (!isDeliveryReport(mail)) return null
  const spoken = spokenRecipients(mail)
  const standard = statusParts(mail).flatMap((text) => standardRecipients(text, spoken))
  const report: DeliveryReport = {
    recipients: merge(standard.length > 0 ? standard : spoken.length > 0 ? spoken : guessed(mail)),
  }
  const originalMessageId = originalIdOf(mail)
  if (originalMessageId) report.originalMessageId = originalMessageId
  return report
}

function merge(recipients: ReportedRecipient[]): ReportedRecipient[] {
  const byKey = new Map<string, ReportedRecipient>()
  for (const recipient of recipients) {
    const key = addressKey(recipient.address)
    const known = byKey.get(key)
    if (!known || (recipient.hard && !known.hard)) byKey.set(key, recipient)
  }
  return [...byKey.values()].slice(0, MAX_RECIPIENTS)
}

function originalIdOf(mail: ParsedMail): string | undefined {
  const head = originalHead(mail)
  const field = /^[ \t>]*message-id\s*:([^\n]*(?:\n[ \t][^\n]*)?)/im.exec(head)?.[1]
  const id = field ? messageIds(field)[0] : undefined
  return id ?? mail.inReplyTo[0] ?? mail.references.at(-1)
}

/** An abuse report (ARF, RFC 5965), or null. `address` is the complaining recipient where the report names him. */
export function readComplaint(mail: ParsedMail): Complaint | null {
  const part = mail.attachments.find(({ type }) => type === 'message/feedback-report')
  if (!part && !/report-type\s*=\s*"?feedback-report/i.test(headerOf(mail, 'content-type'))) return null
  const fields = part ? fieldsOf(partText(part).replace(/\r\n?/g, '\n')) : new Map<string, string>()
  const head = originalHead(mail)
  const to = /^to\s*:[^\n]*(?:\n[ \t][^\n]*)*/im.exec(head)?.[0].match(ADDRESS)?.[0]
  const address = [fields.get('original-rcpt-to'), fields.get('removal-recipient'), to]
    .map(recipientAddress)
    .find((candidate) => isSendable(candidate))
  const originalMessageId = originalIdOf(mail)
  return {
    feedbackType: /^[\w-]+/.exec(fields.get('feedback-type')?.toLowerCase() ?? '')?.[0] ?? 'abuse',
    ...(address ? { address } : {}),
    ...(originalMessageId ? { originalMessageId } : {}),
  }
}
