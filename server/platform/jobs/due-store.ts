import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'

/** When the next work of a loop is due, in the past where some is waiting; null: there is none. */
export async function nextDue(db: Queryable, loop: string): Promise<Date | null> {
  // As a literal, so that the plan asks only the tables of this loop.
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(due_at) AS at FROM work_due WHERE loop = ${sql.lit(loop)}`.execute(db)
  return rows[0]?.at ?? null
}

/** Loops whose work is due. */
export async function loopsWithDueWork(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await sql<{ loop: string }>`
    SELECT DISTINCT loop FROM work_due WHERE due_at <= ${now}`.execute(db)
  return rows.map(({ loop }) => loop)
}
