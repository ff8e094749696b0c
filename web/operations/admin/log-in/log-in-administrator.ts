import { adminAuth } from '#contract/accounts/admin-auth.ts'
import type { Outcome } from '#web/accounts/auth/session-store.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { storeAdminSession } from '../admin-session.ts'

/** What an administrator types; `proof` comes from the access code. */
export type Credentials = { email: string; password: string; proof?: string }

const NOT_ALLOWED = 'Access denied. Admin privileges required.'

/** Signs an administrator in and keeps the session. `unreachable` is said where no answer came. */
export async function logInAdministrator(
  { email, password, proof }: Credentials,
  totp: string | undefined,
  unreachable: string,
): Promise<Outcome> {
  try {
    const answer = await call(adminAuth.login, {
      body: {
        email,
        password,
        ...(proof === undefined ? {} : { proof }),
        ...(totp === undefined ? {} : { totp }),
      },
    })
    if (!answer.user.is_admin) return { ok: false, message: NOT_ALLOWED }
    storeAdminSession(answer)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'answer') return { ok: false, message: unreachable }
    return {
      ok: false,
      message: sentenceOf(error, 'Login failed'),
      ...(error.fields === undefined ? {} : { fields: error.fields }),
      ...(error.code === undefined ? {} : { code: error.code }),
    }
  }
}
