import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'

/** Meetings between consecutive instants, by their start; `place` 1 is from the first instant to the second. */
export async function meetingsBetween(
  db: Queryable,
  userId: number,
  bounds: readonly Date[],
): Promise<{ place: number; meetings: number }[]> {
  const { rows } = await sql<{ place: number; meetings: number }>`
    SELECT width_bucket(start_time, ${[...bounds]}::timestamptz[]) AS place, count(*) AS meetings
    FROM meetings WHERE user_id = ${userId} AND start_time >= ${bounds[0]} AND start_time < ${bounds.at(-1)}
      AND status <> 'cancelled' GROUP BY 1`.execute(db)
  return rows
}

/** How many meetings overlap a day, and how many of them are still to come; cancelled ones do not count. */
export async function meetingsOn(
  db: Queryable,
  userId: number,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<{ all: number; toCome: number }> {
  const { rows } = await sql<{ all: number; toCome: number }>`
    SELECT count(*) AS "all", count(*) FILTER (WHERE end_time > ${now} AND status = 'scheduled') AS "toCome"
    FROM meetings WHERE user_id = ${userId} AND start_time < ${to} AND end_time > ${from}
      AND status <> 'cancelled'`.execute(db)
  return rows[0] ?? { all: 0, toCome: 0 }
}
