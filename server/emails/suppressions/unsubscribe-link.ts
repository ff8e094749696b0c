import type { Context } from '../../context.ts'
import { type ComposeInput, mailtoUrl } from '../../mail/compose.ts'
import { UNSUBSCRIBE_SUBJECT } from '../../mail/unsubscribe-request.ts'

const PURPOSE = 'unsubscribe links'

/** The link of one mail: whose mail it is, which, and our signature, so that nobody can take others off the list. */
export function unsubscribeUrl(context: Context, userId: number, emailId: number): string {
  return urlOf(context, unsubscribeToken(context, userId, emailId))
}

/** How the link of a mail looks that there is not yet: dots stand for what will be its own. */
export const exampleUnsubscribeUrl = (context: Context): string => urlOf(context, '…')

const urlOf = ({ config }: Context, token: string) => `${config.publicUrl}/unsubscribe/${token}`

/**
 * What List-Unsubscribe names: the page of this mail, and a mail to the mailbox that sent it, which reaches us also where
 * nobody else can open the page. Made once a mailbox, called once a mail.
 */
export function listUnsubscribeMaker(
  context: Context,
  mailbox: string,
): (userId: number, emailId: number) => NonNullable<ComposeInput['listUnsubscribe']> {
  let mailtoStart: string | undefined
  return (userId, emailId) => {
    const token = unsubscribeToken(context, userId, emailId)
    mailtoStart ??= mailtoUrl(mailbox, UNSUBSCRIBE_SUBJECT)
    // Nothing in a token has to be escaped.
    return { url: urlOf(context, token), mailto: mailtoStart + token }
  }
}

export function unsubscribeToken(context: Context, userId: number, emailId: number): string {
  const name = `${userId.toString(36)}.${emailId.toString(36)}`
  return `${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** Which mail a token stands for; null when it is not one of ours. */
export function readUnsubscribeToken(
  context: Context,
  token: string,
): { userId: number; emailId: number } | null {
  const [user = '', email = '', signature = ''] = token.split('.')
  if (!context.secrets.verify(`${user}.${email}`, signature, PURPOSE)) return null
  return { userId: parseInt(user, 36), emailId: parseInt(email, 36) }
}
