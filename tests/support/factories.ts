import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { call } from './client.ts'

let serial = 0

/** The password of every test user. */
export const PASSWORD = 'correct horse battery'

export type TestUser = { id: number; token: string; email: string; username: string; password: string }

/** Signs a new user up over HTTP. */
export async function signUp(
  base: string,
  fields: { name?: string; email?: string } = {},
): Promise<TestUser> {
  serial += 1
  const username = `user${process.pid}x${serial}`
  const email = fields.email ?? `${username}@howl.example`
  const password = PASSWORD
  const answer = await call(base, newAccounts.register, {
    body: { email, username, password, name: fields.name ?? 'Ada Muster', company_name: 'Muster Ltd' },
  })
  if (answer.status !== 200) throw new Error(`Sign-up failed: ${answer.error.detail}`)
  return { id: answer.body.user.id, token: answer.body.token, email, username, password }
}
