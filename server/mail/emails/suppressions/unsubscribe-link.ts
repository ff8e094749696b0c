import type { Context } from '../../../platform/context.ts'
import { type ComposeInput, mailtoUrl } from '../../../formats/mail-text/compose.ts'
import { UNSUBSCRIBE_SUBJECT } from '../../../formats/mail-text/unsubscribe-request.ts'

const PURPOSE = 'unsubscribe links'

/** The unsubscribe link of one mail: user, mail, and our signature, so that nobody can unsubscribe others. */
export function unsubscribeUrl(context: Context, userId: number, emailId: number): string {
  return urlOf(context, unsubscribeToken(context, userId, emailId))
}

/** An example of such a link for a mail that does not exist yet: an ellipsis stands for its token. */
export const exampleUnsubscribeUrl = (context: Context): string => urlOf(context, '…')

const urlOf = ({ config }: Context, token: string) => `${config.publicUrl}/unsubscribe/${token}`

/**
 * Makes the List-Unsubscribe values of mails: the page of the mail, and a mail to the sending mailbox, which reaches us
 * even if nobody else can open the page. Made once per mailbox, called once per mail.
 */
export function listUnsubscribeMaker(
  context: Context,
  mailbox: string,
): (userId: number, emailId: number) => NonNullable<ComposeInput['listUnsubscribe']> {
  let mailtoStart: string | undefined
  return (userId, emailId) => {
    const token = unsubscribeToken(context, userId, emailId)
    mailtoStart ??= mailtoUrl(mailbox, UNSUBSCRIBE_SUBJECT)
    // A token has no characters that need escaping.
    return { url: urlOf(context, token), mailto: mailtoStart + token }
  }
}

/** The signed token of a mail's unsubscribe link. */
export function unsubscribeToken(context: Context, userId: number, emailId: number): string {
  const name = `${userId.toString(36)}.${emailId.toString(36)}`
  return `${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** The mail that a token stands for; null when the token is not ours. */
export function readUnsubscribeToken(
  context: Context,
  token: string,
): { userId: number; emailId: number } | null {
  const [user = '', email = '', signature = ''] = token.split('.')
  if (!context.secrets.verify(`${user}.${email}`, signature, PURPOSE)) return null
  return { userId: parseInt(user, 36), emailId: parseInt(email, 36) }
}
