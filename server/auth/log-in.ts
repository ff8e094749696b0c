import type { Context } from '../context.ts'
import { unauthenticated } from '../http/errors.ts'
import { verifyNothing, verifyPassword } from '../security/passwords.ts'
import { logSecurity } from '../security/security-log.ts'
import { type Origin, openSession } from './sessions.ts'
import { findUserByLogin, type UserRow } from './store.ts'

/**
 * Signs in with an address or a user name.
 *
 * @throws Refusal 401, the same and after the same time for an unknown account, a wrong password and a closed account.
 */
export async function logIn(
  context: Context,
  input: { email: string; password: string },
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const user = await findUserByLogin(context.db, input.email)
  const right =
    user === undefined
      ? await verifyNothing(input.password)
      : await verifyPassword(input.password, user.password_hash)
  if (user === undefined || !right || !user.is_active) {
    logSecurity(context.log, { event: 'log_in_failed' }, user?.id ?? null, origin)
    throw unauthenticated('Wrong username or email or password')
  }
  logSecurity(context.log, { event: 'log_in' }, user.id, origin)
  return { user, token: await openSession(context, user, origin) }
}
