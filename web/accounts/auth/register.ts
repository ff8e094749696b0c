import { auth } from '#contract/accounts/auth.ts'
import { type Registration, newAccounts } from '#contract/accounts/new-accounts.ts'
import { call } from '#web/platform/api/call.ts'
import { registrationSentence } from './sentences.ts'
import { failed, type Outcome } from './session-store.ts'

/** Opens an account. */
export async function register(input: Registration): Promise<Outcome> {
  try {
    const { token } = await call(newAccounts.register, { body: input })
    // The user logs in by hand: the session that came with the account would only stand in their list of sessions.
    void call(auth.logout, { token }).catch(() => undefined)
    return { ok: true }
  } catch (error) {
    return failed(error, registrationSentence(error))
  }
}
