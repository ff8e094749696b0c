import { sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import type { Suppression } from './suppressions-store.ts'

/** Suppressions of the user after the address `after`, except those that only practice mode caused. */
export async function suppressionsAfter(
  db: Queryable,
  userId: number,
  after: string,
  limit: number,
): Promise<Pick<Suppression, 'address_key' | 'reason'>[]> {
  const { rows } = await sql<Pick<Suppression, 'address_key' | 'reason'>>`
    SELECT address_key, reason FROM suppressions s
    WHERE user_id = ${userId} AND address_key > ${after} AND NOT of_practice(s.user_id, s.email_id)
    ORDER BY address_key LIMIT ${limit}`.execute(db)
  return rows
}

export async function addKept(
  db: Queryable,
  rows: readonly { signature: string; reason: Suppression['reason'] }[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('kept_suppressions')
    .values([...rows])
    .onConflict((row) => row.column('signature').doNothing())
    .execute()
}

/** The address of the user's account in lower case; undefined while no suppression of any removed account is kept. */
export async function accountWithKept(db: Queryable, userId: number): Promise<string | undefined> {
  const { rows } = await sql<{ email_key: string }>`
    SELECT email_key FROM users WHERE id = ${userId} AND EXISTS (SELECT FROM kept_suppressions)`.execute(db)
  return rows[0]?.email_key
}

/** The kept ones among these signatures, with the reason. */
export async function keptAmong(
  db: Queryable,
  signatures: readonly string[],
): Promise<Map<string, Suppression['reason']>> {
  if (signatures.length === 0) return new Map()
  const rows = await db
    .selectFrom('kept_suppressions')
    .selectAll()
    .where('signature', 'in', [...signatures])
    .execute()
  return new Map(rows.map((row) => [row.signature, row.reason]))
}
