import { randomBytes } from 'node:crypto'
import type { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { forbidden, Refusal, TooManyRequests, unauthenticated } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, waitForSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'
import { findConfirmation, noteConfirmed, noteProved, replaceConfirmation } from './confirmations-store.ts'
import { findUser, type UserRow } from './store.ts'

const LINK_DAYS = 30
const ANOTHER_ACCOUNT = 'This link belongs to another account than the one you’re logged in to.'
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Links that one account gets in an hour, whatever RATE_LIMITS says. */
const MAX_AN_HOUR = 5
/** Whoever asks waits no longer than this for the mail server. */
const WAIT_MS = 10_000
const NOT_VALID = 'This link is not valid any more. Please use the newest one, or ask for another.'

/**
 * Mails a new link that confirms the user's address; older links are void.
 *
 * @returns the mail's id; null over the limit, then the link in use stays good
 */
export async function mailConfirmation(
  context: Context,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'name'>,
): Promise<number | null> {
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY_MS)
  const isNew = await replaceConfirmation(tx, {
    userId: user.id,
    signature: signatureOf(context, token),
    expiresAt,
    now,
    since: new Date(now.getTime() - HOUR_MS),
    max: MAX_AN_HOUR,
  })
  if (!isNew) return null
  const mail = writeSystemMail('Please confirm your email address', [
    `Hello ${user.name},`,
    `your Howl account for ${user.email} is ready. Please confirm that this address is yours.`,
    { link: `${context.config.publicUrl}/confirm-email?token=${token}`, label: 'Confirm my address' },
    `The link is valid for ${LINK_DAYS} days. You can use Howl without it, but credits from invitations wait for it.`,
    'You did not sign up? Then ignore this email.',
  ])
  return queueSystemMail(context, tx, { to: user.email, ...mail })
}

/** Mails the signed-in user a new link. @throws TooManyRequests */
export async function requestConfirmation(
  context: Context,
  userId: number,
): Promise<ReplyOf<typeof emailConfirmation.request>> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const printed = context.config.systemSmtp === null
  if (user.email_confirmed_at !== null) return { confirmed: true, link_sent: false, printed }
  const mailId = await inTransaction(context.db, (tx) => mailConfirmation(context, tx, user))
  if (mailId === null)
    throw new TooManyRequests(HOUR_MS, 'Too many links were requested. Please try again in an hour.')
  const state = await waitForSystemMail(context, mailId, WAIT_MS)
  return { confirmed: false, link_sent: state === 'sent', printed }
}

/**
 * Confirms the address that the token was mailed to; a second time changes nothing. Only a caller who is signed in to that
 * account proves that its user reads the address: anybody else may have followed the link of an account that is not theirs.
 *
 * @param by whose session the call brings, if any, and whether it has to be that of the account
 * @returns the address
 * @throws Refusal 400 for a token that is old, replaced or invented; 403 where the link is of another account
 */
export async function confirmEmail(
  context: Context,
  token: string,
  origin: Origin,
  { callerId, onlyOwn }: { callerId: number | null; onlyOwn: boolean },
): Promise<string> {
  const now = context.clock.now()
  const userId = await findConfirmation(context.db, signatureOf(context, token), now)
  const user = userId === undefined ? undefined : await findUser(context.db, userId)
  if (user === undefined) {
    logSecurity(context.log, { event: 'email_confirmation_failed' }, null, origin)
    await noteActivity(context, context.db, { type: 'email_confirmation_failed', user: null, origin })
    throw new Refusal(400, NOT_VALID, 'INVALID_INPUT')
  }
  if (onlyOwn && callerId !== user.id) throw forbidden(ANOTHER_ACCOUNT)
  const isNew = await inTransaction(context.db, async (tx) => {
    if (callerId === user.id) await noteProved(tx, user.id, now)
    if (!(await noteConfirmed(tx, user.id, now))) return false
    await noteActivity(context, tx, { type: 'email_confirmed', user: user.id, origin })
    return true
  })
  if (isNew) logSecurity(context.log, { event: 'email_confirmed' }, user.id, origin)
  return user.email
}

function signatureOf(context: Pick<Context, 'secrets'>, token: string): string {
  return context.secrets.sign(token, 'email confirmation links')
}
