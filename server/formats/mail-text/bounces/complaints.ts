import { isSendable } from '../addresses.ts'
import { fieldsOf, recipientAddress } from './report-fields.ts'
import { ADDRESS, originalHead, originalIdOf, partText } from './report-parts.ts'
import { notificationKind, notifiedComplaint, notifiedMessageId, notifiedToken } from './notifications.ts'
import { headerOf, type ParsedMail } from '../parse.ts'
import { returnedToken } from '../unsubscribe-request.ts'

/** `address` is the complaining recipient if the report names one; `feedbackType` as in RFC 5965 7.3. */
export type Complaint = {
  address?: string
  originalMessageId?: string
  originalToken?: string
  feedbackType: string
}

/** "This is no spam" (RFC 6430), and reports on signatures (RFC 6591): they ask for nothing. */
const NO_COMPLAINTS = new Set(['not-spam', 'auth-failure', 'dmarc'])

/** True for a complaint by someone who wants no more mail. */
export function isUnwanted({ feedbackType }: Pick<Complaint, 'feedbackType'>): boolean {
  return !NO_COMPLAINTS.has(feedbackType)
}

/** What a provider says of a complaint: an abuse report (ARF, RFC 5965), Hotmail's, or Amazon's JSON; or null. */
export function readComplaint(mail: ParsedMail): Complaint | null {
  return readFeedbackReport(mail) ?? readHotmailComplaint(mail) ?? readNotification(mail)
}

function readFeedbackReport(mail: ParsedMail): Complaint | null {
  const part = mail.attachments.find(({ type }) => type === 'message/feedback-report')
  if (!part && !/report-type\s*=\s*"?feedback-report/i.test(headerOf(mail, 'content-type'))) return null
  const fields = part ? fieldsOf(partText(part).replace(/\r\n?/g, '\n')) : new Map<string, string>()
  const to = /^to\s*:[^\n]*(?:\n[ \t][^\n]*)*/im.exec(originalHead(mail))?.[0].match(ADDRESS)?.[0]
  const type = /^[\w-]+/.exec(fields.get('feedback-type')?.toLowerCase() ?? '')?.[0]
  return complaintOf(type ?? 'abuse', originalOf(mail), [
    fields.get('original-rcpt-to'),
    fields.get('removal-recipient'),
    to,
  ])
}

/** Hotmail sends the mail itself, with the recipient in a header that only Hotmail writes. */
function readHotmailComplaint(mail: ParsedMail): Complaint | null {
  const fromThem = /^(?:staff|jmrp|fbl)@/i.test(mail.from?.address ?? '')
  if (!fromThem && !/^complaint about message/i.test(mail.subject)) return null
  const embedded = /^x-hmxmroriginalrecipient\s{0,9}:([^\n]*)/im.exec(originalHead(mail))?.[1]
  const recipient = embedded ?? headerOf(mail, 'x-hmxmroriginalrecipient')
  return recipient === '' ? null : complaintOf('abuse', originalOf(mail), [recipient])
}

function readNotification(mail: ParsedMail): Complaint | null {
  if (notificationKind(mail) !== 'complaint') return null
  const { feedbackType, address } = notifiedComplaint(mail)
  return complaintOf(feedbackType, { id: notifiedMessageId(mail), token: notifiedToken(mail) }, [address])
}

type Original = { id: string | undefined; token: string | undefined }

const originalOf = (mail: ParsedMail): Original => ({
  id: originalIdOf(mail),
  token: returnedToken(originalHead(mail)),
})

function complaintOf(
  feedbackType: string,
  { id: originalMessageId, token: originalToken }: Original,
  named: (string | undefined)[],
): Complaint {
  const address = named.map(recipientAddress).find((candidate) => isSendable(candidate))
  return {
    feedbackType,
    ...(address === undefined ? {} : { address }),
    ...(originalMessageId === undefined ? {} : { originalMessageId }),
    ...(originalToken === undefined ? {} : { originalToken }),
  }
}
