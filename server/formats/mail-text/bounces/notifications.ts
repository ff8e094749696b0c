import { ADDRESS, MAX_REPORT_CHARS, tidyAddress } from './report-parts.ts'
import { isRecipient } from './recipients.ts'
import { isHardFailure, MAX_DIAGNOSTIC_CHARS, STATUS, type ReportedRecipient } from './hard-failure.ts'
import { messageIds, type ParsedMail } from '../parse.ts'
import { returnedToken } from '../unsubscribe-request.ts'
import { cutText, oneLine } from '../../../platform/text.ts'

/** Kinds of notifications by Amazon SES; they come as JSON in a mail, plain or inside the JSON of SNS. */
export type NotificationKind = 'bounce' | 'complaint' | 'delivery' | 'other'

/** This much of a mail is read to recognise one. */
const HEAD_CHARS = 4_000
/** Of a value, and of the list of recipients. */
const MAX_VALUE_CHARS = 2_000
const MAX_LIST_CHARS = 20_000

/** The kind of a notification; null for any other mail. */
export function notificationKind({ text }: ParsedMail): NotificationKind | null {
  if (!/^\s{0,99}\{/.test(text)) return null
  const head = text.slice(0, HEAD_CHARS)
  const kind = /\\?"(?:notification|event)Type\\?"\s{0,9}:\s{0,9}\\?"(\w{1,60})/
    .exec(head)?.[1]
    ?.toLowerCase()
  if (kind === undefined) return null
  return kind === 'bounce' || kind === 'complaint' || kind === 'delivery' ? kind : 'other'
}

/** The JSON on one line, with its inner JSON unescaped. Mail programs wrap it, so it is read field by field. */
function plainOf({ text }: ParsedMail): string {
  return text
    .slice(0, MAX_REPORT_CHARS)
    .replaceAll('\\"', '"')
    .replaceAll(/\\u003c/gi, '<')
    .replaceAll(/\\u003e/gi, '>')
    .replace(/\n\s?/g, '')
}

/** The text of the list after a name. */
function listOf(plain: string, name: string): string {
  const start = plain.indexOf(`"${name}"`)
  if (start < 0) return ''
  const list = plain.slice(start, start + MAX_LIST_CHARS)
  return list.slice(0, list.indexOf(']') + 1)
}

function valueOf(entry: string, name: string): string {
  const at = entry.indexOf(`"${name}"`)
  if (at < 0) return ''
  return /^\s{0,9}:\s{0,9}"([^"]*)/.exec(entry.slice(at + name.length + 2, at + MAX_VALUE_CHARS))?.[1] ?? ''
}

/** The Message-ID of our mail, without brackets. */
export function notifiedMessageId(mail: ParsedMail): string | undefined {
  const plain = plainOf(mail)
  const header = /"name"\s{0,9}:\s{0,9}"message-id"\s{0,9},\s{0,9}/i.exec(plain)
  const value =
    header === null
      ? valueOf(plain.slice(Math.max(0, plain.indexOf('"commonHeaders"'))), 'messageId')
      : valueOf(plain.slice(header.index + header[0].length), 'value')
  return messageIds(value).find((id) => id.includes('@'))
}

/** The unsubscribe token of our mail. */
export function notifiedToken(mail: ParsedMail): string | undefined {
  return returnedToken(plainOf(mail))
}

/** What a notification of a bounce or a delivery says about each recipient. */
export function notifiedRecipients(mail: ParsedMail): ReportedRecipient[] {
  const plain = plainOf(mail)
  if (notificationKind(mail) === 'delivery') {
    const delivery = plain.slice(Math.max(0, plain.indexOf('"delivery"')))
    return (listOf(delivery, 'recipients').match(ADDRESS) ?? [])
      .filter(isRecipient)
      .map((address) => ({ address, action: 'delivered', diagnostic: '', hard: false }))
  }
  const isPermanent = valueOf(plain, 'bounceType') === 'Permanent'
  return entriesOf(listOf(plain, 'bouncedRecipients')).map(({ address, entry }) => {
    const diagnostic = oneLine(valueOf(entry, 'diagnosticCode')).replace(/^smtp\s*;\s*/i, '')
    const status = STATUS.exec(valueOf(entry, 'status'))?.[1]
    return {
      address,
      action: 'failed',
      ...(status ? { status } : {}),
      diagnostic: cutText(diagnostic, MAX_DIAGNOSTIC_CHARS),
      hard: isPermanent && isHardFailure(status, diagnostic, ''),
    }
  })
}

/** Who complained, and how. Amazon names everyone who may have; only a single one is certain. */
export function notifiedComplaint(mail: ParsedMail): { address?: string; feedbackType: string } {
  const plain = plainOf(mail)
  const entries = entriesOf(listOf(plain, 'complainedRecipients'))
  const type = /^[\w-]{1,40}$/.exec(valueOf(plain, 'complaintFeedbackType'))?.[0]
  return {
    feedbackType: type?.toLowerCase() ?? 'abuse',
    ...(entries.length === 1 && entries[0] ? { address: entries[0].address } : {}),
  }
}

function entriesOf(list: string): { address: string; entry: string }[] {
  return [...list.matchAll(/\{[^{}]*\}/g)]
    .map(([entry]) => ({ address: tidyAddress(valueOf(entry, 'emailAddress')), entry }))
    .filter(({ address }) => isRecipient(address))
}
