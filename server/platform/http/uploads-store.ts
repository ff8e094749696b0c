import { sql } from 'kysely'
import type { Queryable, Tx } from '../database/handles.ts'

/** Nobody else counts this user's files until the transaction ends. */
export async function lockUploads(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('uploads', ${userId}))`.execute(tx)
}

/** Bytes reserved for files that the user is uploading. */
export async function reservedBytes(db: Queryable, userId: number, kind: string, now: Date): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM upload_reservations
    WHERE user_id = ${userId} AND kind = ${kind} AND lapses_at > ${now}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Reserves space until `lapsesAt`; returns the id by which it is released. */
export async function reserveRoom(
  db: Queryable,
  userId: number,
  kind: string,
  bytes: number,
  lapsesAt: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('upload_reservations')
    .values({ user_id: userId, kind, bytes, lapses_at: lapsesAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function releaseRoom(db: Queryable, userId: number, id: number): Promise<void> {
  await db.deleteFrom('upload_reservations').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** Deletes what killed processes had reserved. */
export async function forgetLapsedRoom(db: Queryable, now: Date): Promise<void> {
  await sql`DELETE FROM upload_reservations WHERE lapses_at <= ${now}`.execute(db)
}
