import { MISSING_CODE } from '#contract/accounts/two-step.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { Refusal, unauthenticated } from '../../platform/errors.ts'
import { verifyNothing, verifyPassword } from '../../platform/security/passwords.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { checkCode } from './check-code.ts'
import { countGuess, takeGuessBack } from './guess-limit.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { openSession } from './sessions.ts'
import { refuseBanned } from './refuse-banned.ts'
import { findUser, findUserByLogin, type UserRow } from './store.ts'
import { findTwoStep } from './two-step-store.ts'

/**
 * Signs in with an address or a user name. Where two-step sign-in is on, a code is asked for once the password is right:
 * nothing before that tells who has it on.
 *
 * @throws Refusal 401, with the same text and after the same time for an unknown account, a wrong password and a
 *   deleted account; 429 after too many tries, also the same for all; 400 TOTP_REQUIRED for a code that is missing, 400 for
 *   one that is wrong; 403 BANNED once all of that is right
 */
export async function logIn(
  context: Context,
  input: { email: string; password: string; totp?: string | undefined },
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const found = await findUserByLogin(context.db, input.email)
  await countGuess(context, input.email, found, origin)
  const user = await userWithPassword(context, found, input.password)
  if (user === undefined) {
    logSecurity(context.log, { event: 'log_in_failed' }, found?.id ?? null, origin)
    await noteActivity(context, context.db, { type: 'log_in_failed', user: found?.id ?? null, origin })
    throw unauthenticated('Wrong username or email or password')
  }
  // Wrong codes have a count of their own.
  const passwordWasRight = () => takeGuessBack(context, input.email, origin)
  await takeSecondStep(context, user, { totp: input.totp, passwordWasRight }, origin)
  await refuseBanned(context, user, passwordWasRight, origin)
  logSecurity(context.log, { event: 'log_in' }, user.id, origin)
  const token = await openSession(context, user, origin)
  await noteActivity(context, context.db, { type: 'log_in', user: user.id, origin })
  return { user, token }
}

/**
 * The live user whose password this is, who may be banned ({@link refuseBanned}): undefined, after the same time, for a wrong
 * one and for nobody.
 */
export async function userWithPassword(
  context: Context,
  found: Awaited<ReturnType<typeof findUserByLogin>>,
  password: string,
): Promise<UserRow | undefined> {
  const right =
    found === undefined
      ? await verifyNothing(password, context.config.passwordCost)
      : await verifyPassword(password, found.password_hash)
  const user = right && found !== undefined ? await findUser(context.db, found.id) : undefined
  // Another one may have been set meanwhile.
  return user?.password_hash === found?.password_hash ? user : undefined
}

/**
 * Asks for the code of two-step sign-in where the user has switched it on. `passwordWasRight` is called before: that
 * was no guess.
 *
 * @throws Refusal 400 TOTP_REQUIRED for a code that is missing, 400 for one that is wrong, 429 after too many
 */
export async function takeSecondStep(
  context: Context,
  user: UserRow,
  { totp = '', passwordWasRight }: { totp?: string | undefined; passwordWasRight: () => Promise<void> },
  origin: Origin,
): Promise<void> {
  const twoStep = await findTwoStep(context.db, user.id)
  if (twoStep === undefined || twoStep.on_since === null) return
  await passwordWasRight()
  if (totp === '') {
    logSecurity(context.log, { event: 'two_step_asked' }, user.id, origin)
    throw new Refusal(400, MISSING_CODE, 'TOTP_REQUIRED')
  }
  await checkCode(context, user, twoStep, { code: totp, field: 'totp' }, origin)
}
