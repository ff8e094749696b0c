import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { twoStep } from '#contract/accounts/two-step.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound, unauthenticated } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { checkCode, checkPassword } from './check-code.ts'
import { newRecoveryCodes, recoverySignature } from './recovery-codes.ts'
import { findUser, findUserByEmail, type UserRow } from './store.ts'
import { mailNotice, type NoticeContext } from './two-step-notices.ts'
import { countRecoveryCodes, findTwoStep, removeTwoStep, replaceRecoveryCodes } from './two-step-store.ts'
import { changing } from '../../platform/changing.ts'

const IS_OFF = 'Two-step sign-in is off.'

/** Whether log-in asks the user for a code. */
export async function twoStepStatus(context: Context, userId: number): Promise<ReplyOf<typeof twoStep.get>> {
  const row = await findTwoStep(context.db, userId)
  const onSince = row?.on_since ?? null
  if (onSince === null) return { on: false, on_since: null, recovery_codes_left: 0 }
  const left = await countRecoveryCodes(context.db, userId)
  return { on: true, on_since: onSince.toISOString(), recovery_codes_left: left }
}

/** What proves that it is the owner who changes two-step sign-in. */
export type Proof = { password: string; code: string }

/**
 * Makes new recovery codes; the old ones are void.
 *
 * @throws Refusal 400 for a wrong password or code, 409 when two-step sign-in is off
 */
export async function renewRecoveryCodes(context: Context, userId: number, proof: Proof, origin: Origin) {
  const user = await proved(context, userId, proof, origin)
  const codes = newRecoveryCodes()
  const signatures = codes.map((each) => recoverySignature(context, userId, each))
  await changing(context, userId, 'account', async (tx) => {
    if (!(await replaceRecoveryCodes(tx, userId, signatures))) throw conflict(IS_OFF)
    await mailNotice(context, tx, 'codes_renewed', user)
    await noteActivity(context, tx, { type: 'recovery_codes_renewed', user: userId, origin })
  })
  logSecurity(context.log, { event: 'recovery_codes_renewed' }, userId, origin)
  return codes
}

/** Switches two-step sign-in off. @throws Refusal 400 for a wrong password or code, 409 when it is off */
export async function switchOffTwoStep(context: Context, userId: number, proof: Proof, origin: Origin) {
  const user = await proved(context, userId, proof, origin)
  await changing(context, userId, 'account', async (tx) => {
    if (!(await removeTwoStep(tx, userId))) throw conflict(IS_OFF)
    await mailNotice(context, tx, 'off', user)
    await noteActivity(context, tx, { type: 'two_step_off', user: userId, origin })
  })
  logSecurity(context.log, { event: 'two_step_off' }, userId, origin)
}

/**
 * Removes the two-step sign-in of somebody who has lost phone and recovery codes: a command of the operator.
 *
 * @returns the account's address
 * @throws Refusal 404 without such an account, 409 when its two-step sign-in is off
 */
export async function removeLostTwoStep(context: NoticeContext & Pick<Context, 'db' | 'log'>, email: string) {
  const user = await findUserByEmail(context.db, email)
  if (user === undefined) throw notFound(`There is no account with the address ${email}.`)
  await inTransaction(context.db, async (tx) => {
    if (!(await removeTwoStep(tx, user.id)))
      throw conflict(`Two-step sign-in of ${user.email} is off: there is nothing to remove.`)
    await mailNotice(context, tx, 'removed', user)
    const detail = 'by a command of the operator'
    await noteActivity(context, tx, { type: 'two_step_off', user: user.id, origin: null, detail })
  })
  logSecurity(context.log, { event: 'two_step_off' }, user.id, null)
  return user.email
}

/** The user, who has shown password and code. The password comes first: a wrong one uses no code up. */
async function proved(context: Context, userId: number, proof: Proof, origin: Origin): Promise<UserRow> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const row = await findTwoStep(context.db, userId)
  if (row === undefined || row.on_since === null) throw conflict(IS_OFF)
  await checkPassword(context, user, proof.password, origin)
  await checkCode(context, user, row, { code: proof.code, field: 'code' }, origin)
  return user
}
