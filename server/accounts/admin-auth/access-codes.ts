import { randomBytes } from 'node:crypto'
import { INVALID_CODE } from '#contract/accounts/admin-auth.ts'
import { noteActivity } from '../activities/activities.ts'
import { bareCode, newCode } from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { countGuess, takeGuessBack } from './guess-limit.ts'
import { hasAccessCodes, isAccessCode, replaceAccessCodes } from './store.ts'

/** Codes that Howl makes itself. */
const CODES = 2
/** The log-in follows within this time, or the code is asked for once more. */
const PROOF_MS = 15 * 60_000
const CODE_PURPOSE = 'access codes'
const PROOF_PURPOSE = 'proofs of an access code'

/** What access codes need; a command of the operator has no more. */
export type CodesContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'secrets'>

/**
 * Checks an access code.
 *
 * @returns a proof that opens nothing by itself: it is sent with the log-in
 * @throws Refusal 400 for a wrong code, TooManyRequests
 */
export async function takeAccessCode(context: Context, code: string, origin: Origin): Promise<string> {
  await countGuess(context, { at: 'access code' }, origin)
  if (!(await isRight(context, code))) {
    logSecurity(context.log, { event: 'access_code_failed' }, null, origin)
    await noteActivity(context, context.db, { type: 'admin_code_failed', user: null, origin })
    throw invalidInput(INVALID_CODE, { code: INVALID_CODE })
  }
  await takeGuessBack(context, { at: 'access code' }, origin)
  logSecurity(context.log, { event: 'access_code_taken' }, null, origin)
  await noteActivity(context, context.db, { type: 'admin_code_accepted', user: null, origin })
  const proof = `${context.clock.now().getTime() + PROOF_MS}.${randomBytes(12).toString('base64url')}`
  return `${proof}.${context.secrets.sign(proof, PROOF_PURPOSE)}`
}

/** True for a proof of {@link takeAccessCode} that is still good. */
export function isProof(context: Context, proof: string): boolean {
  const at = proof.lastIndexOf('.')
  const said = proof.slice(0, Math.max(at, 0))
  const isOurs = context.secrets.verify(said, proof.slice(at + 1), PROOF_PURPOSE)
  return isOurs && Number(said.split('.')[0]) > context.clock.now().getTime()
}

/** Every code of the settings is compared, in the same time for right and wrong ones. */
async function isRight({ config, db, secrets }: CodesContext, typed: string): Promise<boolean> {
  if (config.accessCodes === null) return isAccessCode(db, secrets.sign(bareCode(typed), CODE_PURPOSE))
  const compared = config.accessCodes.map((code) =>
    secrets.verify(typed, secrets.sign(code, CODE_PURPOSE), CODE_PURPOSE),
  )
  return compared.includes(true)
}

/** Makes two access codes where the settings name none and none were made before; null where there are some. */
export async function firstAccessCodes(context: CodesContext): Promise<string[] | null> {
  if (context.config.accessCodes !== null || (await hasAccessCodes(context.db))) return null
  return newAccessCodes(context)
}

/** Makes two new access codes; older ones that Howl made are void. They are kept as signatures, so this shows them once. */
export async function newAccessCodes(context: CodesContext): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const signatures = codes.map((code) => context.secrets.sign(bareCode(code), CODE_PURPOSE))
  await inTransaction(context.db, async (tx) => {
    await replaceAccessCodes(tx, signatures, context.clock.now())
    await noteActivity(context, tx, { type: 'access_codes_made', user: null, origin: null })
  })
  logSecurity(context.log, { event: 'access_codes_made' }, null, null)
  return codes
}
