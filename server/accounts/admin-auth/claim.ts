import { randomBytes } from 'node:crypto'
import { noteActivity } from '../activities/activities.ts'
import {
  addUser,
  countAdministrators,
  mailConfirmation,
  openSession,
  setAdministrator,
  type UserRow,
  whyAddressIsTaken,
} from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { refusePassword } from '../../platform/security/refuse-password.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { newAccount } from './make-administrator.ts'
import { addClaim, takeClaim } from './store.ts'

const CLAIM_MS = 24 * 3_600_000
const VOID = 'This link was used before, or is older than 24 hours. Start Howl again for a new one.'

/** A link by which the operator becomes the first administrator, good once for 24 hours; null where there is one already. */
export async function newClaimLink(context: Context): Promise<string | null> {
  if ((await countAdministrators(context.db)) > 0) return null
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(context.clock.now().getTime() + CLAIM_MS)
  await addClaim(context.db, signatureOf(context, token), expiresAt)
  return `${context.config.publicUrl}/claim?token=${token}`
}

/**
 * Opens the account of the first administrator and signs them in.
 *
 * @throws Refusal 400 for a link that is not good any more, an address that is taken, or a password that is easy to guess
 */
export async function claim(
  context: Context,
  input: { token: string; name: string; email: string; password: string },
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const { name, email, password } = input
  const account = newAccount(context, { name, email })
  const why = await refusePassword(password, { ...account, companies: [] })
  if (why !== null) throw invalidInput(why, { password: why })
  const password_hash = await hashPassword(password, context.config.passwordCost)
  const user = await inTransaction(context.db, async (tx) => {
    if (!(await takeClaim(tx, signatureOf(context, input.token), context.clock.now()))) return undefined
    // Somebody else may have become one since, by the settings or by a command.
    if ((await countAdministrators(tx)) > 0) return undefined
    const added = await addUser(tx, { ...account, password_hash })
    await mailConfirmation(context, tx, added)
    await noteActivity(context, tx, { type: 'admin_claimed', user: added.id, origin })
    return setAdministrator(tx, added.id, true)
  }).catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'users_email_key_key')) throw error
    const taken = `${await whyAddressIsTaken(context, email)} Or make this account the administrator on the server: npm run account -- make-admin ${email}`
    throw invalidInput(taken, { email: taken })
  })
  if (user === undefined) {
    logSecurity(context.log, { event: 'claim_failed' }, null, origin)
    await noteActivity(context, context.db, { type: 'admin_claim_failed', user: null, origin })
    throw invalidInput(VOID, { token: VOID })
  }
  logSecurity(context.log, { event: 'administrator_claimed' }, user.id, origin)
  return { user, token: await openSession(context, user, origin, 'admin') }
}

function signatureOf({ secrets }: Pick<Context, 'secrets'>, token: string): string {
  return secrets.sign(token, 'claim links')
}
