import { Client } from 'pg'

export type PlanName = 'free' | 'starter' | 'professional' | 'enterprise'

/** Puts a user of an app on a plan: plans cannot be bought yet. */
export async function setPlan(
  { databaseUrl }: { databaseUrl: string },
  { id }: { id: number },
  plan: PlanName,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('UPDATE users SET pricing_tier = $2 WHERE id = $1', [id, plan])
  } finally {
    await client.end()
  }
}
