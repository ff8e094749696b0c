import { type Selectable, sql } from 'kysely'
import { LIFTABLE, type SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import type { SuppressionsTable } from '../tables.ts'
import { execute, hasRows, rowOf, rowsOf } from '../../../platform/database/rows.ts'

type SuppressionRow = Selectable<SuppressionsTable>

/**
 * Whether the new reason (`excluded`) replaces that of `s`. A real one replaces one from practice. Otherwise one that the user
 * may not lift replaces one that they may, and any reason replaces 'declined'.
 */
const outranks = sql`CASE of_practice(s.user_id, s.email_id)::int - of_practice(excluded.user_id, excluded.email_id)::int
  WHEN 1 THEN true WHEN -1 THEN false
  ELSE s.reason = ANY(${LIFTABLE}) AND excluded.reason <> ALL(${LIFTABLE}) OR s.reason = 'declined' AND excluded.reason <> 'declined' END`

/**
 * Suppresses addresses (lower case, sorted) at the user's request. The detail of a 'declined' one is kept, so that undoing
 * this restores it.
 *
 * @returns how many were not suppressed before, or only as 'declined'
 */
export async function suppressAddresses(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  now: Date,
): Promise<number> {
  return execute(db)`
    INSERT INTO suppressions AS s (user_id, address_key, reason, created_at)
    SELECT ${userId}, k.key, 'manual', ${now} FROM unnest(${[...keys]}::text[]) AS k(key)
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, email_id = NULL, created_at = excluded.created_at,
        detail = CASE WHEN of_practice(s.user_id, s.email_id) THEN '' ELSE s.detail END
      WHERE ${outranks}`
}

/**
 * Lifts the suppression of addresses, except of those who unsubscribed or complained: only they may change that. With
 * `stoppedAt` only what the user suppressed at this instant is undone; those who had said no before are 'declined' again.
 *
 * @returns how many were lifted
 */
export async function liftSuppressionsOf(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  stoppedAt: Date | null,
): Promise<number> {
  const theirs = sql`user_id = ${userId} AND address_key = ANY(${[...keys]}::text[])`
  if (stoppedAt === null)
    return execute(db)`DELETE FROM suppressions WHERE ${theirs} AND reason = ANY(${LIFTABLE})`
  const stopped = sql`${theirs} AND reason = 'manual' AND created_at = ${stoppedAt}`
  const declined = await execute(db)`
    UPDATE suppressions SET reason = 'declined' WHERE ${stopped} AND detail <> ''`
  return declined + (await execute(db)`DELETE FROM suppressions WHERE ${stopped}`)
}

/**
 * Suppresses the addresses of these refusals as 'declined'. A refusal does not count if the same correspondent agreed in a newer
 * reply: the first reading of an account brings old mail.
 */
export async function noteRefusals(
  tx: Tx,
  userId: number,
  refusals: readonly { key: string; emailId: number }[],
  now: Date,
): Promise<void> {
  if (refusals.length === 0) return
  await execute(tx)`
    INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
    SELECT DISTINCT ON (r.key) ${userId}::bigint, r.key, 'declined', 'Said no in a reply', r.email_id, ${now}::timestamptz
    FROM unnest(${refusals.map(({ key }) => key)}::text[], ${refusals.map(({ emailId }) => emailId)}::bigint[]) r(key, email_id)
    JOIN emails e ON e.user_id = ${userId} AND e.id = r.email_id
    WHERE NOT EXISTS (SELECT FROM emails y WHERE y.user_id = ${userId} AND y.correspondent_key = r.key
      AND y.occurred_at > e.occurred_at AND y.direction = 'in' AND y.kind = 'personal' AND y.folder <> 'spam'
      AND y.intent IN ('interested', 'meeting_request') AND of_practice(y.user_id, y.id) = of_practice(e.user_id, e.id))
    ORDER BY r.key, e.occurred_at DESC
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
      WHERE ${outranks}`
}

/** The suppressed ones among these addresses (lower case), with the reason. */
export async function suppressedAmong(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<Pick<SuppressionRow, 'address_key' | 'reason'>>`
    SELECT address_key, reason FROM suppressions
    WHERE user_id = ${userId} AND address_key = ANY(${[...keys]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.address_key, row.reason]))
}

export type Suppression = {
  address_key: string
  reason: SuppressionReason
  detail?: string
  email_id?: number | null
}

/**
 * Suppresses an address for good; the first reason stays, unless the new one {@link outranks} it.
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
  const row = await rowOf<{ is_new: boolean }>(db)`
    INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
    VALUES (${userId}, ${key}, ${reason}, ${detail}, ${emailId}, ${now})
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
      WHERE ${outranks}
    RETURNING xmax = 0 AS is_new`
  return row?.is_new ?? false
}

/** Whether the recipient of a mail has unsubscribed or is stopped. Suppressions from practice mode count for practice mails only. */
export async function isSuppressedFor(
  db: Queryable,
  userId: number,
  key: string,
  emailId: number,
): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM suppressions s WHERE s.user_id = ${userId} AND s.address_key = ${key}
      AND s.reason <> 'declined' AND (NOT of_practice(s.user_id, s.email_id) OR of_practice(${userId}, ${emailId}))`
}

/** Suppressions of the user after the address `after`, except those that only practice mode caused. */
export async function suppressionsAfter(
  db: Queryable,
  userId: number,
  after: string,
  limit: number,
): Promise<Pick<Suppression, 'address_key' | 'reason'>[]> {
  return rowsOf<Pick<Suppression, 'address_key' | 'reason'>>(db)`
    SELECT address_key, reason FROM suppressions s
    WHERE user_id = ${userId} AND address_key > ${after} AND NOT of_practice(s.user_id, s.email_id)
    ORDER BY address_key LIMIT ${limit}`
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
  const row = await rowOf<{ email_key: string }>(db)`
    SELECT email_key FROM users WHERE id = ${userId} AND EXISTS (SELECT FROM kept_suppressions)`
  return row?.email_key
}

/** The kept ones among these signatures, with the reason. */
export async function keptAmong(
  db: Queryable,
  signatures: readonly string[],
): Promise<Map<string, Suppression['reason']>> {
  if (signatures.length === 0) return new Map()
  const { rows } = await sql<{ signature: string; reason: Suppression['reason'] }>`
    SELECT signature, reason FROM kept_suppressions WHERE signature = ANY(${[...signatures]}::text[])
    `.execute(db)
  return new Map(rows.map((row) => [row.signature, row.reason]))
}

/** Removes kept ones that an account has taken over. */
export const removeKept = (db: Queryable, signatures: readonly string[]) => execute(db)`
  DELETE FROM kept_suppressions WHERE signature = ANY(${[...signatures]}::text[])`

/** Suppressions of all users that a database has noted since a time, after one of them; for another database. */
export async function newerSuppressions(
  db: Queryable,
  since: Date,
  after: { userId: number; key: string },
  limit: number,
): Promise<SuppressionRow[]> {
  return rowsOf<SuppressionRow>(db)`
    SELECT * FROM suppressions
    WHERE created_at >= ${since} AND (user_id, address_key) > (${after.userId}, ${after.key})
    ORDER BY user_id, address_key LIMIT ${limit}`
}

/**
 * Adds suppressions of another database. The email that a row names need not exist here. Rows of unknown users are left
 * out; a suppression that is here already stays, unless the other one {@link outranks} it.
 *
 * @returns how many addresses get no mail that got some before
 */
export async function carriedSuppressions(tx: Tx, rows: readonly SuppressionRow[]): Promise<number> {
  if (rows.length === 0) return 0
  return execute(tx)`
    INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
    SELECT c.user_id, c.address_key, c.reason, c.detail, e.id, c.created_at
    FROM json_populate_recordset(NULL::suppressions, ${JSON.stringify(rows)}::json) c JOIN users u ON u.id = c.user_id
    LEFT JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id
      WHERE ${outranks}`
}
