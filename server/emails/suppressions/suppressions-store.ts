import { sql } from 'kysely'
import type { SuppressionsTable } from '../tables.ts'
import type { Queryable } from '../../database/handles.ts'

/** Takes addresses (lower case, in their order) off the list because the user wants it; how many were not off before. */
export async function suppressAddresses(
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
export async function liftSuppressionsOf(
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

/** Of these addresses (lower case) those that get no mail any more, with the reason. */
export async function suppressedAmong(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Map<string, SuppressionsTable['reason']>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('suppressions')
    .select(['address_key', 'reason'])
    .where('user_id', '=', userId)
    .where('address_key', 'in', [...keys])
    .execute()
  return new Map(rows.map((row) => [row.address_key, row.reason]))
}

export type Suppression = {
  address_key: string
  reason: SuppressionsTable['reason']
  detail?: string
  email_id?: number | null
}

/**
 * Takes an address off the list for good; the first reason stays, unless it is one of practice only. True when it was
 * not off before.
 */
export async function suppress(
  db: Queryable,
  userId: number,
  entry: Suppression,
  now: Date,
): Promise<boolean> {
  const { address_key: key, reason, detail = '', email_id: emailId = null } = entry
  const { rows } = await sql<{ is_new: boolean }>`
    INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
    VALUES (${userId}, ${key}, ${reason}, ${detail}, ${emailId}, ${now})
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
      WHERE of_practice(s.user_id, s.email_id) AND NOT of_practice(excluded.user_id, excluded.email_id)
    RETURNING xmax = 0 AS is_new`.execute(db)
  return rows[0]?.is_new ?? false
}

/** Whether an address is off the list for whom a mail was written to: what practice noted counts in practice only. */
export async function isSuppressedFor(
  db: Queryable,
  userId: number,
  key: string,
  emailId: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM suppressions s WHERE s.user_id = ${userId} AND s.address_key = ${key}
      AND (NOT of_practice(s.user_id, s.email_id) OR of_practice(${userId}, ${emailId}))`.execute(db)
  return rows.length > 0
}
