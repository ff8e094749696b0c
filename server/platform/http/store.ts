import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'

/** Identifies a call: the same click twice has the same four values. */
export type CallKey = { userId: number; route: string; key: string; payloadHash: string }

type Found = { startedAt: Date; finishedAt: Date | null; status: number | null; reply: string | null }

const where = (call: CallKey) => sql`
  user_id = ${call.userId} AND route = ${call.route} AND key = ${call.key} AND payload_hash = ${call.payloadHash}`

/** Records the call; false when it is already there. */
export async function beginCall(db: Queryable, call: CallKey, now: Date): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO idempotent_replies (user_id, route, key, payload_hash, started_at)
    VALUES (${call.userId}, ${call.route}, ${call.key}, ${call.payloadHash}, ${now})
    ON CONFLICT DO NOTHING RETURNING 1`.execute(db)
  return rows.length === 1
}

export async function findCall(db: Queryable, call: CallKey): Promise<Found | null> {
  const { rows } = await sql<Found>`
    SELECT started_at AS "startedAt", finished_at AS "finishedAt", status, reply
    FROM idempotent_replies WHERE ${where(call)}`.execute(db)
  return rows[0] ?? null
}

/** Takes over a call that was finished, or begun and abandoned, at `seen`; false when another caller was faster. */
export async function takeOverCall(db: Queryable, call: CallKey, seen: Found, now: Date): Promise<boolean> {
  const { rows } = await sql`
    UPDATE idempotent_replies SET started_at = ${now}, finished_at = NULL, status = NULL, reply = NULL
    WHERE ${where(call)} AND started_at = ${seen.startedAt} AND finished_at IS NOT DISTINCT FROM ${seen.finishedAt}
    RETURNING 1`.execute(db)
  return rows.length === 1
}

export async function finishCall(
  db: Queryable,
  call: CallKey,
  status: number,
  reply: string,
  now: Date,
): Promise<void> {
  await sql`UPDATE idempotent_replies SET finished_at = ${now}, status = ${status}, reply = ${reply} WHERE ${where(call)}`.execute(
    db,
  )
}

/** Forgets calls that ended, or were begun and abandoned, before `before`. */
export async function forgetCalls(db: Queryable, before: Date): Promise<void> {
  await sql`DELETE FROM idempotent_replies WHERE started_at < ${before} AND (finished_at IS NULL OR finished_at < ${before})`.execute(
    db,
  )
}
