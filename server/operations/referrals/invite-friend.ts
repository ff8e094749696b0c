import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { stopsMail, suppressedAmong } from '../../mail/emails/emails.ts'
import { invalidInput, Refusal, TooManyRequests } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import {
  queueSystemMail,
  type SystemMailContent,
  waitForSystemMail,
  writeSystemMail,
} from '../../accounts/system-mail/system-mail.ts'
import { referralCode, referralLink } from './referral-code.ts'
import {
  hasAccount,
  invitationsSince,
  isSameInbox,
  lockInvitations,
  noteOpened,
  saveInvitation,
  setInvitationMail,
} from './store.ts'
import { CREDITS_PER_FRIEND } from '#contract/operations/referrals.ts'
import { changing } from '../../platform/changing.ts'

const DAY_MS = 86_400_000
/** Invitations that one user sends within 24 hours, whatever RATE_LIMITS says. */
const MAX_A_DAY = 20
/** A mail that no server has taken by then is given up: the user reads that it failed, and tries again. */
const GIVE_UP_MS = 8000
const WAIT_MS = 10_000

type Inviter = Pick<Caller, 'id' | 'name' | 'email'>

/**
 * Mails an invitation and waits until the mail server has taken it.
 *
 * @throws Refusal 400 for the user's own address, one that gets no more mail, and a friend who has joined or was invited
 *   within a day; 429 after 20 in a day; 400 MAIL_SERVER if no server takes the mail
 */
export async function inviteFriend(
  context: Context,
  inviter: Inviter,
  { email, message }: { email: string; message: string | null },
): Promise<void> {
  await checkFriend(context, inviter, email)
  const now = context.clock.now()
  const code = await referralCode(context, inviter.id)
  const token = randomBytes(24).toString('base64url')
  const mailId = await changing(context, inviter.id, 'referrals', async (tx) => {
    await lockInvitations(tx, inviter.id)
    const dayAgo = new Date(now.getTime() - DAY_MS)
    const saved = await saveInvitation(tx, {
      userId: inviter.id,
      email,
      message,
      tokenSignature: tokenSignature(context, token),
      now,
      renewBefore: dayAgo,
    })
    if (saved === 'joined') throw refused('This friend has joined already.')
    if (saved === 'invited')
      throw refused('You invited this address less than a day ago. Please wait before you invite it again.')
    // This one is counted.
    if ((await invitationsSince(tx, inviter.id, dayAgo)) > MAX_A_DAY)
      throw new TooManyRequests(
        DAY_MS,
        `You have sent ${MAX_A_DAY} invitations within a day. Please try again tomorrow.`,
      )
    const mail = (await hasAccount(tx, email))
      ? needlessInvitationMail({ inviter, message, loginLink: `${context.config.publicUrl}/login` })
      : invitationMail({ inviter, message, code, link: referralLink(context, code, token) })
    const id = await queueSystemMail(context, tx, {
      to: email,
      expiresAt: new Date(now.getTime() + GIVE_UP_MS),
      ...mail,
    })
    await setInvitationMail(tx, inviter.id, saved.id, id)
    return id
  })
  if ((await waitForSystemMail(context, mailId, WAIT_MS)) === 'failed')
    throw new Refusal(400, 'Failed to send invitation. Please try again.', 'MAIL_SERVER')
}

/** The signature that an invitation's token is stored under. */
export function tokenSignature(context: Pick<Context, 'secrets'>, token: string): string {
  return context.secrets.sign(token, 'invitations')
}

async function checkFriend(context: Context, inviter: Inviter, email: string): Promise<void> {
  if (await isSameInbox(context.db, inviter.email, email))
    throw refused('This is your own address. Please enter the address of a friend.')
  const key = addressKey(email)
  const why = (await suppressedAmong(context.db, inviter.id, [key])).get(key)
  if (why !== undefined && stopsMail(why, 'system'))
    throw refused('This address gets no more mail from you. Nothing was sent.')
}

const refused = (why: string) => invalidInput(why, { email: why })

type InvitationMail = {
  inviter: { name: string; email: string }
  /** In the inviter's words; plain text. */
  message: string | null
  code: string
  /** Leads to the sign-up. */
  link: string
}

/** The mail to a friend who has no account yet. */
function invitationMail({ inviter, message, code, link }: InvitationMail): SystemMailContent {
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
function needlessInvitationMail({
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

/** A friend's browser shows the page that the invitation leads to. Unknown tokens change nothing and are not told. */
export async function noteInvitationOpened(context: Context, token: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const inviter = await noteOpened(tx, tokenSignature(context, token))
    if (inviter !== undefined) await context.live.publish(tx, inviter, { topic: 'referrals' })
  })
}
