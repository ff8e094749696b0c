import { sql } from 'kysely'
import type { Queryable } from '../database/connect.ts'

/** Takes addresses (lower case, in their order) off the list because the user wants it; how many were not off before. */
export async function suppressMany(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO suppressions AS s (user_id, address_key, reason, created_at)
    SELECT ${userId}, k.key, 'manual', ${now} FROM unnest(${[...keys]}::text[]) AS k(key)
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, detail = '', email_id = NULL, created_at = excluded.created_at
      WHERE of_practice(s.user_id, s.email_id)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Puts addresses back on the list; how many. Who unsubscribed or complained stays off: only they may change that.
 * With `stoppedAt` only those that the user took off at this instant.
 */
export async function liftMany(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  stoppedAt: Date | null,
): Promise<number> {
  const which =
    stoppedAt === null
      ? sql`reason IN ('manual', 'bounced')`
      : sql`reason = 'manual' AND created_at = ${stoppedAt}`
  const { numAffectedRows } = await sql`
    DELETE FROM suppressions WHERE user_id = ${userId} AND address_key = ANY(${[...keys]}::text[]) AND ${which}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}
