import { sql } from 'kysely'
import type { Queryable } from '../database/connect.ts'
import type { SuppressionsTable } from './tables.ts'

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
export async function isOffFor(
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

/** Of these addresses those that have been mailed before, or have a mail on its way. */
export async function mailedAmong(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    SELECT k.key FROM unnest(${[...keys]}::text[]) AS k(key)
    WHERE EXISTS (SELECT FROM correspondents c WHERE c.user_id = ${userId} AND c.address_key = k.key AND c.first_sent_at IS NOT NULL)
      OR EXISTS (SELECT FROM emails e JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
        WHERE e.user_id = ${userId} AND e.correspondent_key = k.key AND d.state <> 'failed')`.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Notes that mail to an address comes back. */
export async function noteBounced(
  db: Queryable,
  userId: number,
  addressKey: string,
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO correspondents AS c (user_id, address_key, bounced_at) VALUES (${userId}, ${addressKey}, ${at})
    ON CONFLICT (user_id, address_key) DO UPDATE SET bounced_at = coalesce(c.bounced_at, excluded.bounced_at)`.execute(
    db,
  )
}

/** True when somebody has ever answered. */
export async function hasReplied(db: Queryable, userId: number, addressKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('correspondents')
    .select('replied_at')
    .where('user_id', '=', userId)
    .where('address_key', '=', addressKey)
    .executeTakeFirst()
  return row?.replied_at != null
}
