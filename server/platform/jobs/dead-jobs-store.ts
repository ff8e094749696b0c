import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'
import type { JobsView } from './tables.ts'

/** A job that has failed this often in a row is shown as dead. It is tried again all the same, but seldom. */
export const ATTEMPTS_MAX = 6

export type QueueCounts = { waiting: number; active: number; oldest: Date | null; dead: number }

/** Jobs by their state; null before the first start, when there are none yet. */
export async function countJobs(db: Queryable, now: Date): Promise<QueueCounts | null> {
  const found = await sql<{ there: boolean }>`SELECT to_regclass('public.jobs') IS NOT NULL AS there`.execute(
    db,
  )
  if (found.rows[0]?.there !== true) return null
  const { rows } = await sql<QueueCounts>`
    SELECT count(*) FILTER (WHERE NOT is_active AND (due_at <= ${now} OR failures > 0))::int AS waiting,
      count(*) FILTER (WHERE is_active)::int AS active,
      min(due_at) FILTER (WHERE NOT is_active AND due_at <= ${now}) AS oldest,
      count(*) FILTER (WHERE failures >= ${ATTEMPTS_MAX})::int AS dead
    FROM jobs`.execute(db)
  return rows[0] ?? null
}

/** Dead jobs, the newest first. */
export async function deadJobs(db: Queryable, limit: number): Promise<{ jobs: JobsView[]; total: number }> {
  const dead = db.selectFrom('jobs').where('failures', '>=', ATTEMPTS_MAX)
  const jobs = await dead.selectAll().orderBy('failed_at', 'desc').orderBy('id').limit(limit).execute()
  const counted = await dead.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  return { jobs, total: counted?.total ?? 0 }
}

/**
 * Lets dead jobs begin again, one by its id or all: their failures count no more.
 *
 * @param tryAt when they are tried again; null: when they would be anyway
 * @returns their names
 */
export async function reviveJobs(db: Queryable, id: string | null, tryAt: Date | null): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    UPDATE jobs SET failures = 0, try_at = coalesce(${tryAt}, try_at)
    WHERE failures >= ${ATTEMPTS_MAX} AND (${id}::text IS NULL OR id::text = lower(${id}::text))
    RETURNING name`.execute(db)
  return rows.map(({ name }) => name)
}
