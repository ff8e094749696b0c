import { NOT_AN_ADMINISTRATOR, OLD_PROOF } from '#contract/accounts/admin-auth.ts'
import { noteActivity } from '../activities/activities.ts'
import {
  findUserByLogin,
  openSession,
  refuseBanned,
  takeSecondStep,
  type UserRow,
  userWithPassword,
} from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { forbidden, invalidInput, unauthenticated } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { isProof } from './access-codes.ts'
import { countGuess, knowPlaceOf, takeGuessBack } from './guess-limit.ts'

/**
 * Signs an administrator in: a session of its own, beside those of the user.
 *
 * @throws Refusal 400 for a proof that is not good, 401 after the same time for an unknown account and a wrong password,
 *   403 for somebody who is no administrator, or BANNED, 400 TOTP_REQUIRED or 400 for the code of two-step sign-in, 429 after too many tries
 */
export async function logInAdministrator(
  context: Context,
  input: { email: string; password: string; proof?: string | undefined; totp?: string | undefined },
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const { email, password, proof, totp } = input
  if (proof !== undefined && !isProof(context, proof)) throw invalidInput(OLD_PROOF, { proof: OLD_PROOF })
  const guess = { at: 'password', login: email } as const
  const found = await findUserByLogin(context.db, email)
  await countGuess(context, guess, origin)
  const user = await userWithPassword(context, found, password)
  if (user === undefined) {
    logSecurity(context.log, { event: 'admin_log_in_failed' }, found?.id ?? null, origin)
    await noteActivity(context, context.db, { type: 'admin_log_in_failed', user: found?.id ?? null, origin })
    throw unauthenticated('Wrong email or password')
  }
  if (!user.is_admin) {
    // It goes on counting as a guess: whoever tries stolen passwords here learns slowly which of them are right.
    logSecurity(context.log, { event: 'admin_log_in_denied' }, user.id, origin)
    const detail = 'no administrator'
    await noteActivity(context, context.db, { type: 'admin_refused', user: user.id, origin, detail })
    throw forbidden(NOT_AN_ADMINISTRATOR)
  }
  const passwordWasRight = () => takeGuessBack(context, guess, origin)
  await takeSecondStep(context, user, { totp, passwordWasRight }, origin)
  await refuseBanned(context, user, passwordWasRight, origin)
  await knowPlaceOf(context, email, origin)
  logSecurity(context.log, { event: 'admin_log_in' }, user.id, origin)
  const token = await openSession(context, user, origin, 'admin')
  await noteActivity(context, context.db, { type: 'admin_log_in', user: user.id, origin })
  return { user, token }
}
