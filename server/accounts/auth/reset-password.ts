import { EXPIRED_OTP } from '#contract/accounts/password-reset.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { invalidInput, Refusal } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { refusePassword } from '../../platform/security/refuse-password.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'
import { type ClearSetup, clearSetups, wordsOfCleared } from './clear-setup.ts'
import { noteConfirmed, noteProved } from './confirmations-store.ts'
import { findLink, killResets, takeReset, tryCode } from './password-resets-store.ts'
import { type Asking, codeSignature, isKnownTo, linkSignature } from './request-reset.ts'
import { endOtherSessions, findUser, findUserByEmail, lockSetup, setPassword, type UserRow } from './store.ts'
import { rememberPlace } from './guess-limit.ts'
import { forgetCallers } from './sessions.ts'
import { changing } from '../../platform/changing.ts'

/** A code is dead after this many wrong tries, whatever RATE_LIMITS says; those of strangers are counted apart. */
const MAX_WRONG_TRIES = 5
const EXPIRED_LINK = 'This link is not valid any more. Please request a new one.'

/** Checks a code without using it up. @throws Refusal 400 for a wrong, old, used or foreign code */
export async function verifyCode(context: Context, email: string, code: string, by: Asking): Promise<void> {
  const { origin } = by
  const user = await findUserByEmail(context.db, email)
  const now = context.clock.now()
  const isRight =
    user !== undefined &&
    (await tryCode(context.db, {
      userId: user.id,
      signature: codeSignature(context, user.id, code),
      now,
      // Until the address is proved, a stranger may have opened the account, and its code is not theirs to use up.
      isKnown: user.email_proved_at !== null && (await isKnownTo(context, user, by)),
      maxWrong: MAX_WRONG_TRIES,
    }))
  if (isRight) return
  logSecurity(context.log, { event: 'password_reset_failed', kind: 'code' }, user?.id ?? null, origin)
  const failed = { type: 'password_reset_failed', user: user?.id ?? null, origin, detail: 'code' } as const
  await noteActivity(context, context.db, failed)
  throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
}

/**
 * Sets a new password with a mailed code. All sessions end but that of the `caller`, who changes their own password.
 *
 * @param setups what is cleared if this is the first proof of the address
 * @returns what was cleared, in sentences
 * @throws Refusal 400 for a code that is not good, or a password that is easy to guess; then the code stays good
 */
export async function resetByCode(
  context: Context,
  input: { email: string; otp: string; password: string },
  origin: Origin,
  { caller, setups }: { caller: Pick<Caller, 'id' | 'sessionId'> | null; setups: readonly ClearSetup[] },
): Promise<string[]> {
  await verifyCode(context, input.email, input.otp, { origin, callerId: caller?.id ?? null })
  const user = await findUserByEmail(context.db, input.email)
  if (user === undefined) throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  const keepSession = caller?.id === user.id ? caller.sessionId : null
  const asked = { userId: user.id, password: input.password, keepSession, setups }
  return setNewPassword(context, asked, origin, async (tx) => {
    const signature = codeSignature(context, user.id, input.otp)
    if ((await takeReset(tx, 'code', signature, context.clock.now())) === undefined)
      throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  })
}

/**
 * Sets a new password with the token of a mailed link. All sessions end.
 *
 * @param setups what is cleared if this is the first proof of the address
 * @returns what was cleared, in sentences
 * @throws Refusal 400 for a link that is not good, or a password that is easy to guess; then the link stays good
 */
export async function resetByToken(
  context: Context,
  input: { token: string; password: string },
  origin: Origin,
  setups: readonly ClearSetup[],
): Promise<string[]> {
  const signature = linkSignature(context, input.token)
  const userId = await findLink(context.db, signature, context.clock.now())
  if (userId === undefined) {
    logSecurity(context.log, { event: 'password_reset_failed', kind: 'link' }, null, origin)
    const failed = { type: 'password_reset_failed', user: null, origin, detail: 'link' } as const
    await noteActivity(context, context.db, failed)
    throw new Refusal(400, EXPIRED_LINK, 'INVALID_INPUT')
  }
  const asked = { userId, password: input.password, keepSession: null, setups }
  return setNewPassword(context, asked, origin, async (tx) => {
    if ((await takeReset(tx, 'link', signature, context.clock.now())) === undefined)
      throw new Refusal(400, EXPIRED_LINK, 'INVALID_INPUT')
  })
}

type NewPassword = {
  userId: number
  password: string
  keepSession: string | null
  setups: readonly ClearSetup[]
}

async function setNewPassword(
  context: Context,
  { userId, password, keepSession, setups }: NewPassword,
  origin: Origin,
  useUp: (tx: Tx) => Promise<void>,
): Promise<string[]> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw new Refusal(400, EXPIRED_OTP, 'INVALID_INPUT')
  const companies = [user.company_name, user.business_name]
  const why = await refusePassword(password, { ...user, companies })
  if (why !== null) throw invalidInput(why, { new_password: why })
  const hash = await hashPassword(password, context.config.passwordCost)
  const cleared = await changing(context, userId, 'session', async (tx) => {
    await lockSetup(tx, userId)
    await useUp(tx)
    await setPassword(tx, userId, hash)
    await killResets(tx, userId)
    await endOtherSessions(tx, userId, keepSession, context.clock.now())
    const isConfirmed = await noteConfirmed(tx, userId, context.clock.now())
    if (isConfirmed) await noteActivity(context, tx, { type: 'email_confirmed', user: userId, origin })
    const isFirstProof = await noteProved(tx, userId, context.clock.now())
    // A user who is signed in has set the account up, and the operator or a colleague has named an administrator.
    const maybeAnothers = isFirstProof && keepSession === null && !user.is_admin
    const done = maybeAnothers ? await clearSetups(context, tx, user, setups, origin) : null
    const notice = noticeOf(context, user, isConfirmed, done?.told ?? [])
    await queueSystemMail(context, tx, { to: user.email, ...notice })
    await noteActivity(context, tx, { type: 'password_changed', user: userId, origin })
    return done
  })
  cleared?.afterwards()
  forgetCallers(context, userId)
  // Whoever could read the mail is the owner: tries by others do not keep them out.
  await rememberPlace(context, user, origin)
  logSecurity(context.log, { event: 'password_changed' }, userId, origin)
  return cleared?.told ?? []
}

function noticeOf(
  { config }: Context,
  user: Pick<UserRow, 'email'>,
  isConfirmed: boolean,
  cleared: readonly string[],
) {
  return writeSystemMail('Your Howl password was changed', [
    `The password of your Howl account ${user.email} was changed just now. You were signed out everywhere else.`,
    ...(isConfirmed ? ['Your email address is confirmed now.'] : []),
    ...wordsOfCleared(cleared),
    'Was it you? Then there is nothing to do.',
    'It was not you? Set a new password at once, and change the password of your mailbox too.',
    { link: `${config.publicUrl}/reset-password`, label: 'Set a new password' },
  ])
}
