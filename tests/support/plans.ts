import { runSql } from '#server/database/transaction.ts'
import type { TestApp } from './test-app.ts'

export type Plan = 'free' | 'starter' | 'professional' | 'enterprise'

/** Puts a user on a plan: plans cannot be bought yet. */
export async function setPlan(app: TestApp, { id }: { id: number }, plan: Plan): Promise<void> {
  await runSql(app.context.db, 'UPDATE users SET pricing_tier = $2 WHERE id = $1', [id, plan])
}
