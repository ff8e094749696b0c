import type { Queryable, Tx } from '../database/handles.ts'
import { execute, numberOf } from '../database/rows.ts'

/** Nobody else counts this user's files until the transaction ends. */
export const lockUploads = (tx: Tx, userId: number) =>
  execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('uploads', ${userId}))`

/** Bytes reserved for files that the user is uploading. */
export const reservedBytes = (db: Queryable, userId: number, kind: string, now: Date) => numberOf(db)`
  SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM upload_reservations
  WHERE user_id = ${userId} AND kind = ${kind} AND lapses_at > ${now}`

/** Reserves space until `lapsesAt`; returns the id by which it is released. */
export async function reserveRoom(
  db: Queryable,
  userId: number,
  kind: string,
  bytes: number,
  lapsesAt: Date,
) {
  const { id } = await db
    .insertInto('upload_reservations')
    .values({ user_id: userId, kind, bytes, lapses_at: lapsesAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const releaseRoom = (db: Queryable, userId: number, id: number) =>
  execute(db)`DELETE FROM upload_reservations WHERE user_id = ${userId} AND id = ${id}`

/** Deletes what killed processes had reserved. */
export const forgetLapsedRoom = (db: Queryable, now: Date) =>
  execute(db)`DELETE FROM upload_reservations WHERE lapses_at <= ${now}`
