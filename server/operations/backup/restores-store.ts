import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { RestoresTable } from './tables.ts'
import { hasRows, numberOf, rowOf } from '../../platform/database/rows.ts'

export async function addRestore(tx: Tx, restore: Omit<Selectable<RestoresTable>, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('restores').values(restore).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function hasRestore(db: Queryable, token: string) {
  return hasRows(db)`SELECT FROM restores WHERE token = ${token}`
}

/** Notes that these users' mail is held, with the runs that were paused. Holds of an earlier restore are replaced. */
export async function addHolds(
  tx: Tx,
  restoreId: number,
  userIds: readonly number[],
  runs: readonly { userId: number; batchId: number }[],
): Promise<void> {
  await sql`DELETE FROM restore_holds`.execute(tx)
  await sql`
    INSERT INTO restore_holds (user_id, restore_id, batch_ids)
    SELECT u.id, ${restoreId}, coalesce((
      SELECT array_agg(r.batch_id) FROM unnest(${runs.map(({ userId }) => userId)}::bigint[],
        ${runs.map(({ batchId }) => batchId)}::bigint[]) AS r(user_id, batch_id) WHERE r.user_id = u.id), '{}')
    FROM unnest(${[...userIds]}::bigint[]) AS u(id)`.execute(tx)
}

/** A user's hold, with the restore that it is of. */
export type Hold = { takenAt: Date; restoredAt: Date; runs: number }

export async function findHold(db: Queryable, userId: number) {
  return rowOf<Hold>(db)`
    SELECT r.backup_taken_at AS "takenAt", r.restored_at AS "restoredAt", cardinality(h.batch_ids) AS runs
    FROM restore_holds h JOIN restores r ON r.id = h.restore_id WHERE h.user_id = ${userId}`
}

/** Users whose mail is held, after an id. */
export async function heldUsersAfter(db: Queryable, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('restore_holds')
    .select('user_id')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** The moment of the oldest backup that was ever brought back into a database; null where there was none. */
export async function oldestRestored(db: Queryable): Promise<Date | null> {
  const { rows: found } = await sql<{ there: boolean }>`
    SELECT to_regclass('public.restores') IS NOT NULL AS there`.execute(db)
  if (found[0]?.there !== true) return null
  const row = await rowOf<{
    oldest: Date | null
  }>(db)`SELECT min(backup_taken_at) AS oldest FROM restores`
  return row?.oldest ?? null
}

/** How many people use a database; none where it has no tables yet. */
export async function countPeople(db: Queryable): Promise<number> {
  const { rows: found } = await sql<{ there: boolean }>`
    SELECT to_regclass('public.users') IS NOT NULL AS there`.execute(db)
  if (found[0]?.there !== true) return 0
  return numberOf(db)`
    SELECT count(*) AS people FROM users u WHERE NOT coalesce((to_jsonb(u)->>'is_system')::boolean, false)`
}

/** Leases of the processes that the backup knew: none of them lives. */
export async function removeWorkers(tx: Tx): Promise<void> {
  await tx.deleteFrom('workers').execute()
}
