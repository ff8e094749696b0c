import { sql } from 'kysely'
import { LIFTABLE, type SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** Suppresses addresses (lower case, sorted) at the user's request. @returns how many were not suppressed before */
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
 * Lifts the suppression of addresses, except of those who unsubscribed or complained: only they may change that. With
 * `stoppedAt` only of those that the user suppressed at this instant.
 *
 * @returns how many were lifted
 */
export async function liftSuppressionsOf(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  stoppedAt: Date | null,
): Promise<number> {
  const which =
    stoppedAt === null ? sql`reason = ANY(${LIFTABLE})` : sql`reason = 'manual' AND created_at = ${stoppedAt}`
  const { numAffectedRows } = await sql`
    DELETE FROM suppressions WHERE user_id = ${userId} AND address_key = ANY(${[...keys]}::text[]) AND ${which}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** The suppressed ones among these addresses (lower case), with the reason. */
export async function suppressedAmong(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Map<string, SuppressionReason>> {
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
  reason: SuppressionReason
  detail?: string
  email_id?: number | null
}

/**
 * Suppresses an address for good; the first reason stays, unless it comes from practice mode only, or the owner of an address
 * that the user may lift says no.
 *
 * @returns true when it was not suppressed before
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
      WHERE NOT of_practice(excluded.user_id, excluded.email_id) AND (of_practice(s.user_id, s.email_id)
        OR (s.reason = ANY(${LIFTABLE}) AND excluded.reason <> ALL(${LIFTABLE})))
    RETURNING xmax = 0 AS is_new`.execute(db)
  return rows[0]?.is_new ?? false
}

/** Whether the recipient of a mail is suppressed: suppressions from practice mode count for practice mails only. */
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
