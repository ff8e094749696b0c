import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { WRONG_PASSWORD } from '#contract/accounts/two-step.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidInput, Refusal } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { appCodeStep, isAppCode } from '../../platform/security/app-codes.ts'
import { verifyPassword } from '../../platform/security/passwords.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { CODE_TRIES, countSecretGuess, forgetSecretGuesses } from './guess-limit.ts'
import { bareCode, recoverySignature } from './recovery-codes.ts'
import type { UserRow } from './store.ts'
import { mailNotice } from './two-step-notices.ts'
import { countRecoveryCodes, type TwoStepRow, useRecoveryCode, useStep } from './two-step-store.ts'

type Owner = Pick<UserRow, 'id' | 'email'>

/**
 * Checks a code of the user's authenticator app, or a recovery code, and uses it up. Five wrong ones in a row, then each
 * further try has to wait, and the owner gets a mail.
 *
 * @param field the field of the body that holds the code, for the answer
 * @throws Refusal 400 for a code that is wrong or was used; 429 while a delay is running, also for a good one
 */
export async function checkCode(
  context: Context,
  user: Owner,
  twoStep: TwoStepRow,
  typed: { code: string; field: 'totp' | 'code' },
  origin: Origin,
): Promise<void> {
  const failures = await countSecretGuess(context, user.id, 'code', origin)
  const code = bareCode(typed.code)
  const isRight = isAppCode(code)
    ? await takeAppCode(context, twoStep, code)
    : await takeRecoveryCode(context, user, code, origin)
  if (isRight) return forgetSecretGuesses(context, user.id, 'code', origin)
  logSecurity(context.log, { event: 'two_step_failed', kind: 'code' }, user.id, origin)
  await noteActivity(context, context.db, { type: 'two_step_failed', user: user.id, origin })
  if (failures === CODE_TRIES)
    await inTransaction(context.db, (tx) => mailNotice(context, tx, 'guessed', user))
  throw invalidInput(WRONG_CODE, { [typed.field]: WRONG_CODE })
}

/**
 * Makes sure that whoever is signed in knows the password.
 *
 * @throws Refusal 400 for a wrong one, 429 after too many
 */
export async function checkPassword(
  context: Context,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  password: string,
  origin: Origin,
): Promise<void> {
  await countSecretGuess(context, user.id, 'password in the settings', origin)
  if (await verifyPassword(password, user.password_hash))
    return forgetSecretGuesses(context, user.id, 'password in the settings', origin)
  logSecurity(context.log, { event: 'two_step_failed', kind: 'password' }, user.id, origin)
  await noteActivity(context, context.db, { type: 'password_check_failed', user: user.id, origin })
  throw invalidInput(WRONG_PASSWORD, { password: WRONG_PASSWORD })
}

/** Seals the secret of a user's app: it can be opened for the same user only. */
export function sealAppSecret(context: Pick<Context, 'secrets'>, userId: number, secret: string): string {
  return context.secrets.seal(secret, placeOf(userId))
}

/** @throws Refusal 409 when the secret key is not the one that it was sealed with */
export function openAppSecret(
  context: Pick<Context, 'secrets'>,
  row: Pick<TwoStepRow, 'user_id' | 'secret_box'>,
): string {
  try {
    return context.secrets.open(row.secret_box, placeOf(row.user_id))
  } catch {
    throw new Refusal(
      409,
      'Codes for this account cannot be checked any more. Please ask whoever runs this Howl to remove two-step sign-in.',
      'CONFLICT',
    )
  }
}

const placeOf = (userId: number) => `two-step:${userId}`

async function takeAppCode(context: Context, twoStep: TwoStepRow, code: string): Promise<boolean> {
  const step = appCodeStep(openAppSecret(context, twoStep), code, context.clock.now())
  return step !== null && useStep(context.db, twoStep.user_id, step)
}

async function takeRecoveryCode(context: Context, user: Owner, code: string, origin: Origin) {
  const signature = recoverySignature(context, user.id, code)
  return inTransaction(context.db, async (tx) => {
    if (!(await useRecoveryCode(tx, user.id, signature, context.clock.now()))) return false
    const left = await countRecoveryCodes(tx, user.id)
    await mailNotice(context, tx, 'code_used', { email: user.email, left })
    await context.live.publish(tx, user.id, { topic: 'account' })
    await noteActivity(context, tx, { type: 'recovery_code_used', user: user.id, origin })
    logSecurity(context.log, { event: 'recovery_code_used' }, user.id, origin)
    return true
  })
}
