import { CREDITS_PER_FRIEND } from '#contract/operations/referrals.ts'
import { type SystemMailContent, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'

export type InvitationMail = {
  inviter: { name: string; email: string }
  /** In the inviter's words; plain text. */
  message: string | null
  code: string
  /** Leads to the sign-up. */
  link: string
}

/** The mail to a friend who has no account yet. */
export function invitationMail({ inviter, message, code, link }: InvitationMail): SystemMailContent {
  return writeSystemMail(subjectOf(inviter), [
    `${inviter.name} (${inviter.email}) invites you to Howl. When you sign up with the code ${code}, you both get ${CREDITS_PER_FRIEND} credits.`,
    ...wordsOf(inviter, message),
    'Howl is email automation for a small business: contacts, outreach, replies, meetings and invoices, through your own mailbox.',
    { link, label: 'Create your free account' },
    `You do not know ${inviter.name}? Then ignore this email.`,
  ])
}

/**
 * The mail to somebody who has an account already. It leaves instead of the invitation, in the same way: so the inviter
 * cannot tell, neither by the answer nor by its time, who has an account.
 */
export function needlessInvitationMail({
  inviter,
  message,
  loginLink,
}: Pick<InvitationMail, 'inviter' | 'message'> & { loginLink: string }): SystemMailContent {
  return writeSystemMail(subjectOf(inviter), [
    `${inviter.name} (${inviter.email}) invites you to Howl. You have an account already, so there is nothing to do.`,
    ...wordsOf(inviter, message),
    { link: loginLink, label: 'Log in' },
    `${inviter.name} was not told that you have an account.`,
  ])
}

const subjectOf = ({ name }: { name: string }) => `${name} invites you to Howl`

function wordsOf({ name }: { name: string }, message: string | null): string[] {
  return message === null ? [] : [`${name} writes:\n\n${message}`]
}
