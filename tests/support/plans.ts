import { sql } from './sql.ts'

export type PlanName = 'free' | 'starter' | 'professional' | 'enterprise'

/** Puts a user of an app on a plan: plans cannot be bought yet. */
export async function setPlan(
  { databaseUrl }: { databaseUrl: string },
  { id }: { id: number },
  plan: PlanName,
): Promise<void> {
  await sql(databaseUrl, 'UPDATE users SET pricing_tier = $2 WHERE id = $1', [id, plan])
}
