import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { hasRows, onlyRowOf } from '../../platform/database/rows.ts'

/** What is left of an earned row `g`. */
const REST = sql`g.amount + coalesce(
  (SELECT sum(t.amount) FROM credit_entries t WHERE t.user_id = g.user_id AND t.of_entry = g.id), 0)`
/** When the friend behind an earned row `g` confirmed the address; for the own sign-up the user. */
const CONFIRMED_AT = sql`CASE WHEN g.friend_hash IS NULL
  THEN (SELECT u.email_confirmed_at FROM users u WHERE u.id = g.user_id)
  ELSE (SELECT r.confirmed_at FROM referrals r WHERE r.user_id = g.user_id AND r.friend_hash = g.friend_hash) END`

export type Balance = { available: number; total: number; waiting: number; byInviting: number }

/** The sums of the user's ledger. Call {@link expireEntries} first. */
export async function readBalance(db: Queryable, userId: number) {
  return onlyRowOf<Balance>(db)`
    SELECT coalesce(sum(g.amount), 0)::int AS available,
      coalesce(sum(g.amount) FILTER (WHERE g.kind = 'earned'), 0)::int AS total,
      coalesce(sum(g.amount) FILTER (WHERE g.kind = 'earned' AND g.friend_hash IS NOT NULL), 0)::int AS "byInviting",
      coalesce((SELECT sum(w.rest) FROM (
        SELECT ${REST} AS rest FROM credit_entries g
        WHERE g.user_id = ${userId} AND g.kind = 'earned' AND (${CONFIRMED_AT}) IS NULL) w), 0)::int AS waiting
    FROM credit_entries g WHERE g.user_id = ${userId}`
}

/** What some users have unspent. What has expired counts until it is written off, within an hour. */
export async function readBalances(db: Queryable, userIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ userId: number; available: number }>`
    SELECT user_id AS "userId", sum(amount)::int AS available FROM credit_entries
    WHERE user_id = ANY(${userIds}::bigint[]) GROUP BY 1`.execute(db)
  return new Map(rows.map(({ userId, available }) => [userId, available]))
}

/** Adds credits that nobody earned by inviting; they expire 12 months after `now`. */
export async function addEntry(
  db: Queryable,
  { userId, amount, reason, now }: { userId: number; amount: number; reason: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO credit_entries (user_id, kind, amount, reason, created_at, expires_at)
    VALUES (${userId}, 'earned', ${amount}, ${reason}, ${now},
      (${now}::timestamptz AT TIME ZONE 'UTC' + interval '12 months') AT TIME ZONE 'UTC')`.execute(db)
}

/**
 * Writes off what is left of earned rows that expired by `now`, of one user or of all (null). The rows are locked first,
 * so that nothing is spent from them meanwhile.
 *
 * @returns how many rows expired; at most `limit`
 */
export async function expireEntries(tx: Tx, userId: number | null, now: Date, limit: number) {
  const due = await sql<{ id: number }>`
    SELECT g.id FROM credit_entries g
    WHERE g.kind = 'earned' AND g.expires_at <= ${now} AND ${REST} > 0
      AND (${userId}::bigint IS NULL OR g.user_id = ${userId}::bigint)
    ORDER BY g.user_id, g.id LIMIT ${limit} FOR UPDATE OF g`.execute(tx)
  if (due.rows.length === 0) return 0
  const ids = due.rows.map(({ id }) => id)
  // A statement of its own: it sees what was spent while the lock was waited for.
  await sql`
    INSERT INTO credit_entries (user_id, kind, amount, of_entry, reason, created_at)
    SELECT user_id, 'expired', -rest, id, 'Expired after 12 months', ${now}
    FROM (SELECT g.user_id, g.id, ${REST} AS rest FROM credit_entries g WHERE g.id = ANY(${ids}::bigint[])) d
    WHERE rest > 0`.execute(tx)
  return ids.length
}

/** Spends credits, the oldest first; false, and nothing spent, if not so many can be spent. */
export async function spendEntries(
  tx: Tx,
  spending: { userId: number; amount: number; reason: string; now: Date },
) {
  const { userId, amount, reason, now } = spending
  await sql`
    SELECT FROM credit_entries WHERE user_id = ${userId} AND kind = 'earned' AND expires_at > ${now}
    ORDER BY id FOR UPDATE`.execute(tx)
  return hasRows(tx)`
    WITH spendable AS (
      SELECT g.id, g.created_at, ${REST} AS rest FROM credit_entries g
      WHERE g.user_id = ${userId} AND g.kind = 'earned' AND g.expires_at > ${now} AND (${CONFIRMED_AT}) IS NOT NULL
    ), in_order AS (
      SELECT id, rest, sum(rest) OVER (ORDER BY created_at, id) - rest AS older, sum(rest) OVER () AS total
      FROM spendable WHERE rest > 0
    )
    INSERT INTO credit_entries (user_id, kind, amount, of_entry, reason, created_at)
    SELECT ${userId}, 'spent', -least(rest, ${amount}::int - older), id, ${reason}, ${now}
    FROM in_order WHERE total >= ${amount}::int AND older < ${amount}::int
    RETURNING 1`
}
