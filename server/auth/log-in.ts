import type { Context } from '../context.ts'
import { unauthenticated } from '../errors.ts'
import { verifyNothing, verifyPassword } from '../security/passwords.ts'
import { logSecurity } from '../security/security-log.ts'
import { countGuess } from './guess-limit.ts'
import type { Origin } from '../http/origin.ts'
import { openSession } from './sessions.ts'
import { findUser, findUserByLogin, type UserRow } from './store.ts'

/**
 * Signs in with an address or a user name.
 *
 * @throws Refusal 401, with the same text and after the same time for an unknown account, a wrong password and a
 *   closed account; 429 after too many tries, also the same for all
 */
export async function logIn(
  context: Context,
  input: { email: string; password: string },
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
  logSecurity(context.log, { event: 'log_in' }, user.id, origin)
  return { user, token: await openSession(context, user, origin) }
}
