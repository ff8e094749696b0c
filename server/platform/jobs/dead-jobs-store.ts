import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'

/** The queue for jobs that failed every attempt. */
export const DEAD_LETTERS = 'dead-letters'

export type DeadJobRow = {
  id: string
  /** The queue that it died in. */
  name: string
  data: unknown
  created_at: Date
  failed_at: Date
  attempts: number
  output: unknown
}

export type QueueCounts = { waiting: number; active: number; oldest: Date | null; dead: number }

/** Jobs by their state; null before the first start, when there is no queue yet. */
export async function countJobs(db: Queryable, now: Date): Promise<QueueCounts | null> {
  const found = await sql<{ there: boolean }>`SELECT to_regclass('jobs.job') IS NOT NULL AS there`.execute(db)
  if (found.rows[0]?.there !== true) return null
  const { rows } = await sql<QueueCounts>`
    SELECT count(*) FILTER (WHERE state IN ('created', 'retry') AND name <> ${DEAD_LETTERS})::int AS waiting,
      count(*) FILTER (WHERE state = 'active')::int AS active,
      min(start_after) FILTER (WHERE state IN ('created', 'retry') AND name <> ${DEAD_LETTERS} AND start_after <= ${now}) AS oldest,
      count(*) FILTER (WHERE state = 'created' AND name = ${DEAD_LETTERS})::int AS dead
    FROM jobs.job`.execute(db)
  return rows[0] ?? null
}

const DEAD = sql`name = ${DEAD_LETTERS} AND state = 'created' AND source_name IS NOT NULL`

/** Dead jobs, the newest first. */
export async function deadJobs(db: Queryable, limit: number): Promise<{ jobs: DeadJobRow[]; total: number }> {
  const { rows: jobs } = await sql<DeadJobRow>`
    SELECT id, source_name AS name, data, source_created_on AS created_at, created_on AS failed_at,
      coalesce(source_retry_count, 0) + 1 AS attempts, source_output AS output
    FROM jobs.job WHERE ${DEAD} ORDER BY created_on DESC, id LIMIT ${limit}`.execute(db)
  const { rows } = await sql<{
    total: number
  }>`SELECT count(*)::int AS total FROM jobs.job WHERE ${DEAD}`.execute(db)
  return { jobs, total: rows[0]?.total ?? 0 }
}

/**
 * Takes dead jobs out of their queue, with what is left of them in the one that they died in: one by its id, or all.
 *
 * @param onlyKnown leaves those that an older version made for a queue that is gone
 */
export async function takeDeadJobs(
  db: Queryable,
  id: string | null,
  onlyKnown: boolean,
): Promise<{ name: string; data: unknown; key: string | null }[]> {
  const { rows } = await sql<{ name: string; data: unknown; key: string | null }>`
    WITH taken AS (
      DELETE FROM jobs.job WHERE ${DEAD} AND (${id}::text IS NULL OR id::text = lower(${id}::text))
        AND (NOT ${onlyKnown}::boolean OR source_name IN (SELECT name FROM jobs.queue))
      RETURNING source_name, source_id, data, singleton_key
    ), died AS (
      DELETE FROM jobs.job j USING taken t WHERE j.name = t.source_name AND j.id = t.source_id AND j.state = 'failed'
    )
    SELECT source_name AS name, data, singleton_key AS key FROM taken`.execute(db)
  return rows
}
