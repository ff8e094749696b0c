import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from './client.ts'
import { signUp, type TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

export type TestAdministrator = TestUser & { adminToken: string }

/** A user who is an administrator, signed in as both. */
export async function anAdministrator(
  app: TestApp,
  fields: { name?: string; email?: string } = {},
): Promise<TestAdministrator> {
  const user = await signUp(app.url, fields)
  await setAdmin(app, user.id, true)
  return { ...user, adminToken: await adminTokenOf(app, user) }
}

/** Logs an administrator in; returns the token for administrators' calls. */
export async function adminTokenOf(app: { url: string }, user: TestUser): Promise<string> {
  const { email, password } = user
  const answer = await call(app.url, adminAuth.login, { body: { email, password } })
  if (answer.status !== 200) throw new Error(`The administrator cannot log in: ${answer.error.detail}`)
  return answer.body.token
}

export async function setAdmin({ context }: TestApp, userId: number, isAdmin: boolean): Promise<void> {
  await runSql(context.db, 'UPDATE users SET is_admin = $2 WHERE id = $1', [userId, isAdmin])
}
