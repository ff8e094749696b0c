import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'

/** Records that a worker is alive. */
export async function beat(db: Queryable, workerId: string, now: Date): Promise<void> {
  await sql`INSERT INTO workers (id, started_at, heartbeat_at) VALUES (${workerId}, ${now}, ${now})
    ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`.execute(db)
}

/** Removes a worker: what it had claimed is free at once. */
export async function leave(db: Queryable, workerId: string): Promise<void> {
  await sql`DELETE FROM workers WHERE id = ${workerId}`.execute(db)
}

/** Removes workers whose last heartbeat is older than `before`; returns their ids. */
export async function buryWorkers(db: Queryable, before: Date): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`DELETE FROM workers WHERE heartbeat_at < ${before} RETURNING id`.execute(db)
  return rows.map((row) => row.id)
}

/** The latest heartbeat of any worker. */
export async function lastHeartbeat(db: Queryable): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`SELECT max(heartbeat_at) AS at FROM workers`.execute(db)
  return rows[0]?.at ?? null
}
