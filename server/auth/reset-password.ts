import { EXPIRED_OTP } from '#contract/password-reset.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidInput, Refusal } from '../errors.ts'
import type { Origin } from '../http/origin.ts'
import { hashPassword } from '../security/passwords.ts'
import { refusePassword } from '../security/refuse-password.ts'
import { logSecurity } from '../security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'
import { findLink, killResets, takeReset, tryCode } from './password-resets-store.ts'
import { codeSignature, linkSignature } from './request-reset.ts'
import { endOtherSessions, findUser, findUserByEmail, setPassword, type UserRow } from './store.ts'
import { rememberPlace } from './guess-limit.ts'
import { forgetCallers } from './sessions.ts'

/** A code is dead after this many wrong tries, whatever RATE_LIMITS says. */
const MAX_WRONG_TRIES = 5
const EXPIRED_LINK = 'This link is not valid any more. Please request a new one.'

/** Checks a code without using it up. @throws Refusal 400 for a wrong, old, used or foreign code */
export async function verifyCode(
  context: Context,
  email: string,
  code: string,
  origin: Origin,
): Promise<void> {
  const user = await findUserByEmail(context.db, email)
  const now = context.clock.now()
  const isRight =
    user !== undefined &&
    (await tryCode(context.db, {
      userId: user.id,
      signature: codeSignature(context, user.id, code),
      now,
      maxWrong: MAX_WRONG_TRIES,
    }))
  if (isRight) return
  logSecurity(context.log, { event: 'password_reset_failed', kind: 'code' }, user?.id ?? null, origin)
  const failed = { type: 'password_reset_failed', user: user?.id ?? null, origin, detail: 'code' } as const
  await noteActivity(context, context.db, failed)
  throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
}

/**
 * Sets a new password with a mailed code. All sessions end but `keepSession`, the caller's own.
 *
 * @throws Refusal 400 for a code that is not good, or a password that is easy to guess; then the code stays good
 */
export async function resetByCode(
  context: Context,
  input: { email: string; otp: string; password: string },
  origin: Origin,
  keepSession: string | null,
): Promise<void> {
  await verifyCode(context, input.email, input.otp, origin)
  const user = await findUserByEmail(context.db, input.email)
  if (user === undefined) throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  await setNewPassword(context, user.id, input.password, origin, keepSession, async (tx) => {
    const signature = codeSignature(context, user.id, input.otp)
    if ((await takeReset(tx, 'code', signature, context.clock.now())) === undefined)
      throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  })
}

/**
 * Sets a new password with the token of a mailed link. All sessions end.
 *
 * @throws Refusal 400 for a link that is not good, or a password that is easy to guess; then the link stays good
 */
export async function resetByToken(
  context: Context,
  input: { token: string; password: string },
  origin: Origin,
): Promise<void> {
  const signature = linkSignature(context, input.token)
  const userId = await findLink(context.db, signature, context.clock.now())
  if (userId === undefined) {
    logSecurity(context.log, { event: 'password_reset_failed', kind: 'link' }, null, origin)
    const failed = { type: 'password_reset_failed', user: null, origin, detail: 'link' } as const
    await noteActivity(context, context.db, failed)
    throw new Refusal(400, EXPIRED_LINK, 'INVALID_INPUT')
  }
  await setNewPassword(context, userId, input.password, origin, null, async (tx) => {
    if ((await takeReset(tx, 'link', signature, context.clock.now())) === undefined)
      throw new Refusal(400, EXPIRED_LINK, 'INVALID_INPUT')
  })
}

async function setNewPassword(
  context: Context,
  userId: number,
  password: string,
  origin: Origin,
  keepSession: string | null,
  useUp: (tx: Tx) => Promise<void>,
): Promise<void> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  const companies = [user.company_name, user.business_name]
  const why = await refusePassword(password, { ...user, companies })
  if (why !== null) throw invalidInput(why, { new_password: why })
  const hash = await hashPassword(password, context.config.passwordCost)
  await inTransaction(context.db, async (tx) => {
    await useUp(tx)
    await setPassword(tx, userId, hash)
    await killResets(tx, userId)
    await endOtherSessions(tx, userId, keepSession, context.clock.now())
    await queueSystemMail(context, tx, { to: user.email, ...noticeOf(context, user) })
    await noteActivity(context, tx, { type: 'password_changed', user: userId, origin })
    await context.live.publish(tx, userId, { topic: 'session' })
  })
  forgetCallers(context, userId)
  // Whoever could read the mail is the owner: tries by others do not keep them out.
  await rememberPlace(context, user, origin)
  logSecurity(context.log, { event: 'password_changed' }, userId, origin)
}

function noticeOf({ config }: Context, user: Pick<UserRow, 'email'>) {
  return writeSystemMail('Your Howl password was changed', [
    `The password of your Howl account ${user.email} was changed just now. You were signed out everywhere else.`,
    'Was it you? Then there is nothing to do.',
    'It was not you? Set a new password at once, and change the password of your mailbox too.',
    { link: `${config.publicUrl}/reset-password`, label: 'Set a new password' },
  ])
}
