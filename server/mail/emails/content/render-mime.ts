import { type Address, parseAddressList } from '../../../formats/mail-text/addresses.ts'
import { type ComposedMail, composeMail } from '../../../formats/mail-text/compose.ts'
import { composeTemplate, type MailTemplate } from '../../../formats/mail-text/compose-bulk.ts'
import type { Context } from '../../../platform/context.ts'
import type { Purpose } from '../tables.ts'
import { renderRichMime } from './render-rich-mime.ts'
import { listUnsubscribeMaker } from '../suppressions/unsubscribe-link.ts'

/** What rendering needs of a mail's row. */
export type MailToRender = {
  userId: number
  emailId: number
  purpose: Purpose | null
  messageId: string
  inReplyTo: string | null
  references: string[]
  recipients: string[]
  toLine: string
  subject: string
  text: string
  /** The mail has more than plain text: HTML, Cc, Bcc or files. */
  isRich: boolean
  writtenAt: Date
}

/** A bare address, as in bulk mail, which needs no parsing. */
const BARE_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d.-]+$/i

/**
 * Renders mails of one sender from their rows, always to the same bytes: a second attempt, and the copy for the Sent
 * folder, are the same mail, with the same Message-ID and Date. Bulk mail has List-Unsubscribe (RFC 2369, RFC 8058), mail from Howl
 * itself Auto-Submitted (RFC 3834).
 */
export function mimeRenderer(
  context: Context,
  sender: Address,
): (mail: MailToRender) => Promise<ComposedMail> {
  let template: MailTemplate | undefined
  const listUnsubscribeOf = listUnsubscribeMaker(context, sender.address)
  return async (mail) => {
    const fields = {
      messageId: mail.messageId,
      date: mail.writtenAt,
      subject: mail.subject,
      text: mail.text,
      ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
      references: mail.references,
      ...(mail.purpose === 'system' ? { autoSubmitted: 'auto-generated' } : {}),
      ...(isBulk(mail) ? { listUnsubscribe: listUnsubscribeOf(mail.userId, mail.emailId) } : {}),
    }
    if (mail.isRich) {
      const { userId, emailId, toLine } = mail
      return renderRichMime(context, sender, { ...fields, userId, emailId, toLine })
    }
    const to = BARE_ADDRESS.test(mail.toLine)
      ? [{ name: '', address: mail.toLine }]
      : parseAddressList(mail.toLine)
    const [only] = to
    if (only === undefined || to.length > 1) return composeMail({ ...fields, from: sender, to })
    template ??= composeTemplate({ from: sender })
    return template.compose({ ...fields, to: only })
  }
}

/** True for mail to many recipients, which must be easy to unsubscribe from. */
export function isBulk(mail: Pick<MailToRender, 'purpose'>): boolean {
  return mail.purpose === 'outreach' || mail.purpose === 'follow_up'
}
