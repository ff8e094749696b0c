import { wireAddress } from '../../formats/mail-text/addresses.ts'

/** Maximum length of the returned head; a longer one is cut between two lines. */
const MAX_HEAD_BYTES = 16_384

/** A delivery report (RFC 3464) that there is no such recipient `address`, with the head of the mail in question. */
export function composeBounce(about: {
  raw: Buffer
  address: string
  to: string
  messageId: string
  at: Date
}): Buffer {
  const address = wireAddress(about.address)
  const domain = address.split('@').at(-1) ?? 'localhost'
  const boundary = `=_${about.messageId.split('@')[0]}`
  const said = `550 5.1.1 <${address}>: Recipient address rejected: User unknown`
  const at = about.at.toUTCString().replace('GMT', '+0000')
  const lines = [
    'Return-Path: <>',
    `From: Mail Delivery System <MAILER-DAEMON@${domain}>`,
    `To: <${wireAddress(about.to)}>`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${at}`,
    `Message-ID: <${about.messageId}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    `This is the mail system at host mx.${domain}.`,
    '',
    'Your message could not be delivered to one or more recipients. It is attached below.',
    '',
    `<${address}>: host mx.${domain} said: ${said}`,
    '',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; mx.${domain}`,
    `Arrival-Date: ${at}`,
    '',
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
    `Remote-MTA: dns; mx.${domain}`,
    `Diagnostic-Code: smtp; ${said}`,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
  ]
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n`),
    headOf(about.raw),
    Buffer.from(`\r\n\r\n--${boundary}--\r\n`),
  ])
}

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.subarray(0, end < 0 ? raw.length : end)
  if (head.length <= MAX_HEAD_BYTES) return head
  const cut = head.lastIndexOf('\r\n', MAX_HEAD_BYTES)
  return head.subarray(0, cut < 0 ? 0 : cut)
}
