import { MISSING_CODE } from '#contract/two-step.ts'
import type { Context } from '../context.ts'
import { Refusal, unauthenticated } from '../errors.ts'
import { verifyNothing, verifyPassword } from '../security/passwords.ts'
import { logSecurity } from '../security/security-log.ts'
import { checkCode } from './check-code.ts'
import { countGuess, takeGuessBack } from './guess-limit.ts'
import type { Origin } from '../http/origin.ts'
import { openSession } from './sessions.ts'
import { findUser, findUserByLogin, type UserRow } from './store.ts'
import { findTwoStep } from './two-step-store.ts'

/**
 * Signs in with an address or a user name. Where two-step sign-in is on, a code is asked for once the password is right:
 * nothing before that tells who has it on.
 *
 * @throws Refusal 401, with the same text and after the same time for an unknown account, a wrong password and a
 *   closed account; 429 after too many tries, also the same for all; 400 TOTP_REQUIRED for a code that is missing, 400 for
 *   one that is wrong
 */
export async function logIn(
  context: Context,
  input: { email: string; password: string; totp?: string | undefined },
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const found = await findUserByLogin(context.db, input.email)
  await countGuess(context, input.email, found, origin)
  const right =
    found === undefined
      ? await verifyNothing(input.password)
      : await verifyPassword(input.password, found.password_hash)
  const user = right && found?.is_active === true ? await findUser(context.db, found.id) : undefined
  if (user === undefined) {
    logSecurity(context.log, { event: 'log_in_failed' }, found?.id ?? null, origin)
    throw unauthenticated('Wrong username or email or password')
  }
  await takeSecondStep(context, user, input, origin)
  logSecurity(context.log, { event: 'log_in' }, user.id, origin)
  return { user, token: await openSession(context, user, origin) }
}

async function takeSecondStep(
  context: Context,
  user: UserRow,
  { email, totp = '' }: { email: string; totp?: string | undefined },
  origin: Origin,
): Promise<void> {
  const twoStep = await findTwoStep(context.db, user.id)
  if (twoStep === undefined || twoStep.on_since === null) return
  // Wrong codes have a count of their own.
  await takeGuessBack(context, email, origin)
  if (totp === '') {
    logSecurity(context.log, { event: 'two_step_asked' }, user.id, origin)
    throw new Refusal(400, MISSING_CODE, 'TOTP_REQUIRED')
  }
  await checkCode(context, user, twoStep, { code: totp, field: 'totp' }, origin)
}
