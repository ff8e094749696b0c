import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, invalidInput, unauthenticated } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { appCodeStep, appUri, newAppSecret } from '../../platform/security/app-codes.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { checkPassword, openAppSecret, sealAppSecret } from './check-code.ts'
import { bareCode, newRecoveryCodes, recoverySignature } from './recovery-codes.ts'
import { findUser } from './store.ts'
import { mailNotice } from './two-step-notices.ts'
import { findTwoStep, keepNewSecret, replaceRecoveryCodes, switchOn } from './two-step-store.ts'
import { changing } from '../../platform/changing.ts'

/** A secret that was shown has to be confirmed within this time. */
const SET_UP_MS = 3_600_000
const ON_ALREADY = 'Two-step sign-in is on already.'

/**
 * Makes a secret for an authenticator app. Nothing is on before {@link confirmTwoStep}.
 *
 * @returns the secret in base32, to be typed, and the address that the QR code holds
 * @throws Refusal 400 for a wrong password, 409 when two-step sign-in is on
 */
export async function beginTwoStep(
  context: Context,
  userId: number,
  password: string,
  origin: Origin,
): Promise<{ secret: string; uri: string }> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  await checkPassword(context, user, password, origin)
  const secret = newAppSecret()
  const box = sealAppSecret(context, userId, secret)
  if (!(await keepNewSecret(context.db, { userId, box, now: context.clock.now() })))
    throw conflict(ON_ALREADY)
  return { secret, uri: appUri(secret, user.email) }
}

/**
 * Switches two-step sign-in on, once a first code shows that the app has the secret. Sessions go on.
 *
 * @returns the recovery codes, which nobody can read again
 * @throws Refusal 400 for a wrong code, 409 when it is on already or was not begun
 */
export async function confirmTwoStep(context: Context, userId: number, code: string, origin: Origin) {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const now = context.clock.now()
  const begun = await findTwoStep(context.db, userId)
  if (begun !== undefined && begun.on_since !== null) throw conflict(ON_ALREADY)
  if (begun === undefined || now.getTime() - begun.begun_at.getTime() > SET_UP_MS)
    throw conflict('This took too long. Please begin again.')
  const step = appCodeStep(openAppSecret(context, begun), bareCode(code), now)
  if (step === null) throw invalidInput(WRONG_CODE, { code: WRONG_CODE })
  const codes = newRecoveryCodes()
  await changing(context, userId, 'account', async (tx) => {
    if (!(await switchOn(tx, { userId, box: begun.secret_box, step, now }))) throw conflict(ON_ALREADY)
    await replaceRecoveryCodes(
      tx,
      userId,
      codes.map((each) => recoverySignature(context, userId, each)),
    )
    await mailNotice(context, tx, 'on', user)
    await noteActivity(context, tx, { type: 'two_step_on', user: userId, origin })
  })
  logSecurity(context.log, { event: 'two_step_on' }, userId, origin)
  return codes
}
