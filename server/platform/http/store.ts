import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'
import { didChange, execute, rowOf } from '../database/rows.ts'

/** Identifies a call: the same click twice has the same four values. */
export type CallKey = { userId: number; route: string; key: string; payloadHash: string }

type Found = { startedAt: Date; finishedAt: Date | null; status: number | null; reply: string | null }

const where = (call: CallKey) => sql`
  user_id = ${call.userId} AND route = ${call.route} AND key = ${call.key} AND payload_hash = ${call.payloadHash}`

/** Records the call; false when it is already there. */
export const beginCall = (db: Queryable, call: CallKey, now: Date) => didChange(db)`
  INSERT INTO idempotent_replies (user_id, route, key, payload_hash, started_at)
  VALUES (${call.userId}, ${call.route}, ${call.key}, ${call.payloadHash}, ${now})
  ON CONFLICT DO NOTHING`

export async function findCall(db: Queryable, call: CallKey): Promise<Found | null> {
  const row = await rowOf<Found>(db)`
    SELECT started_at AS "startedAt", finished_at AS "finishedAt", status, reply
    FROM idempotent_replies WHERE ${where(call)}`
  return row ?? null
}

/** Takes over a call that was finished, or begun and abandoned, at `seen`; false when another caller was faster. */
export const takeOverCall = (db: Queryable, call: CallKey, seen: Found, now: Date) => didChange(db)`
  UPDATE idempotent_replies SET started_at = ${now}, finished_at = NULL, status = NULL, reply = NULL
  WHERE ${where(call)} AND started_at = ${seen.startedAt} AND finished_at IS NOT DISTINCT FROM ${seen.finishedAt}`

export const finishCall = (db: Queryable, call: CallKey, status: number, reply: string, now: Date) => execute(
  db,
)`
    UPDATE idempotent_replies SET finished_at = ${now}, status = ${status}, reply = ${reply} WHERE ${where(call)}`

/** Forgets calls that ended, or were begun and abandoned, before `before`. */
export const forgetCalls = (db: Queryable, before: Date) => execute(db)`
  DELETE FROM idempotent_replies WHERE started_at < ${before} AND (finished_at IS NULL OR finished_at < ${before})`
