import { addressKey } from '../addresses.ts'
import { standardRecipients, statusParts } from './report-fields.ts'
import { originalHead, originalIdOf } from './report-parts.ts'
import { guessed, MAX_RECIPIENTS, spokenRecipients } from './free-text-report.ts'
import type { ReportedRecipient } from './hard-failure.ts'
import { DAEMON, REPORT_SENTENCE, REPORT_SUBJECT } from './report-phrases.ts'
import { notificationKind, notifiedMessageId, notifiedRecipients, notifiedToken } from './notifications.ts'
import { headerOf, type ParsedMail } from '../parse.ts'
import { returnedToken } from '../unsubscribe-request.ts'

export type DeliveryReport = {
  recipients: ReportedRecipient[]
  /** Message-Id of the mail reported on, without brackets. */
  originalMessageId?: string
  /** The unsubscribe token of the mail reported on. */
  originalToken?: string
}

/** True for a delivery report, standard (RFC 3464) or in a mail server's own words. */
export function isDeliveryReport(mail: ParsedMail): boolean {
  if (isOtherReport(mail)) return false
  const notified = notificationKind(mail)
  if (notified !== null) return notified === 'bounce' || notified === 'delivery'
  if (statusParts(mail).length > 0) return true
  const contentType = headerOf(mail, 'content-type').toLowerCase()
  if (/multipart\/report/.test(contentType) && /report-type\s*=\s*"?delivery-status/.test(contentType))
    return true
  const beginning = mail.text.slice(0, 4_000)
  const spoken = REPORT_SUBJECT.test(mail.subject) || headerOf(mail, 'x-failed-recipients') !== ''
  // Checked last: it scans the text of every incoming mail.
  const told = () => REPORT_SENTENCE.test(beginning)
  if (isFromDaemon(mail)) return spoken || told()
  return spoken ? told() || isFromNobody(mail) : isFromMachine(mail) && told()
}

/** Read receipts ("was displayed") are reports too, but not about delivery. */
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

/** What the remote servers report about each recipient, or null when the mail is no delivery report. */
export function readDeliveryReport(mail: ParsedMail): DeliveryReport | null {
  if (!isDeliveryReport(mail)) return null
  const isNotified = notificationKind(mail) !== null
  const recipients = merge(isNotified ? notifiedRecipients(mail) : reportedRecipients(mail))
  const originalMessageId = isNotified ? notifiedMessageId(mail) : originalIdOf(mail)
  const originalToken = isNotified ? notifiedToken(mail) : returnedToken(originalHead(mail))
  return {
    recipients,
    ...(originalMessageId === undefined ? {} : { originalMessageId }),
    ...(originalToken === undefined ? {} : { originalToken }),
  }
}

function reportedRecipients(mail: ParsedMail): ReportedRecipient[] {
  const spoken = spokenRecipients(mail)
  const standard = statusParts(mail).flatMap((text) => standardRecipients(text, spoken))
  if (standard.length > 0) return standard
  return spoken.length > 0 ? spoken : guessed(mail)
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
