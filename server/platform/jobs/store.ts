import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'
import { rowOf } from '../database/rows.ts'

/** How the loops of a process do: null where it has none. */
export type Rounds = { roundAt: Date | null; failingLoops: string[] }

/** Records that a worker is alive, and how its loops do; removes the others that were last heard of before `deadSince`. */
export async function beat(
  db: Queryable,
  workerId: string,
  now: Date,
  { rounds = null, deadSince = null }: { rounds?: Rounds | null; deadSince?: Date | null } = {},
): Promise<void> {
  await sql`
    WITH buried AS (DELETE FROM workers WHERE heartbeat_at < ${deadSince}::timestamptz AND id <> ${workerId})
    INSERT INTO workers (id, started_at, heartbeat_at, is_worker, round_at, failing_loops)
    VALUES (${workerId}, ${now}, ${now}, ${rounds !== null}, ${rounds?.roundAt ?? null}, ${rounds?.failingLoops ?? []})
    ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, is_worker = excluded.is_worker,
      round_at = excluded.round_at, failing_loops = excluded.failing_loops`.execute(db)
}

/** Removes a worker: what it had claimed is free at once. */
export async function leave(db: Queryable, workerId: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${workerId}`.execute(db)
}

/** Removes all workers. */
export async function buryWorkers(db: Queryable): Promise<void> {
  await sql`DELETE FROM workers`.execute(db)
}

/** The latest heartbeat of any process that does background work. */
export async function lastHeartbeat(db: Queryable): Promise<Date | null> {
  const row = await rowOf<{ at: Date | null }>(db)`
    SELECT max(heartbeat_at) AS at FROM workers WHERE is_worker`
  return row?.at ?? null
}

/** The processes alive that do background work: how many, when the last was heard of, and when one last ended a step. */
export async function backgroundWork(
  db: Queryable,
  aliveSince: Date,
): Promise<{ workers: number; beat: Date | null; round: Date | null }> {
  const { rows } = await sql<{ workers: number; beat: Date | null; round: Date | null }>`
    SELECT count(*)::int AS workers, max(heartbeat_at) AS beat, max(round_at) AS round
    FROM workers WHERE is_worker AND heartbeat_at > ${aliveSince}`.execute(db)
  return rows[0] ?? { workers: 0, beat: null, round: null }
}
