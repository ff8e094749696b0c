import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'
import { rowOf } from '../database/rows.ts'

/** When the next work of a loop is due, in the past where some is waiting; null: there is none. */
export async function nextDue(db: Queryable, loop: string): Promise<Date | null> {
  const view = sql.table(`work_due_${loop.replaceAll(/\W/g, '_')}`)
  const row = await rowOf<{ at: Date | null }>(db)`SELECT min(due_at) AS at FROM ${view}`
  return row?.at ?? null
}

/** Loops whose work is due. Without a parameter, so that each connection plans it once. */
export async function loopsWithDueWork(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await sql<{ loop: string; at: Date }>`
    SELECT loop, due_at AS at FROM work_due WHERE due_at IS NOT NULL`.execute(db)
  return rows.flatMap(({ loop, at }) => (at <= now ? [loop] : []))
}
