import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'

const HOUR_MS = 3_600_000

export type HouseActivity = { opened: number; deleted: number; sent: number }

/** What happened between each two consecutive bounds, which are multiples of a quarter of an hour. */
export async function houseActivity(db: Queryable, bounds: readonly Date[]): Promise<HouseActivity[]> {
  const first = hourOf(bounds[0] ?? new Date(0))
  const last = bounds.at(-1) ?? first
  // An hour that a bound splits is counted by its quarters.
  const split = bounds.filter((bound) => bound.getTime() % HOUR_MS !== 0).map(hourOf)
  const { rows } = await sql<HouseActivity & { place: number }>`
    WITH hours AS MATERIALIZED (
      SELECT at, opened, deleted, sent FROM house_activity WHERE at >= ${first} AND at < ${last}
    ), split AS (SELECT DISTINCT at FROM unnest(${split}::timestamptz[]) AS at)
    SELECT width_bucket(at, ${[...bounds]}::timestamptz[]) AS place,
      sum(opened)::int AS opened, sum(deleted)::int AS deleted, sum(sent)::int AS sent
    FROM (
      SELECT at, opened[1] + opened[2] + opened[3] + opened[4] AS opened,
        deleted[1] + deleted[2] + deleted[3] + deleted[4] AS deleted, sent[1] + sent[2] + sent[3] + sent[4] AS sent
      FROM hours h WHERE NOT EXISTS (SELECT FROM split s WHERE s.at = h.at)
      UNION ALL
      SELECT h.at + (q - 1) * interval '15 minutes', opened[q], deleted[q], sent[q]
      FROM hours h JOIN split s USING (at), generate_series(1, 4) AS q
    ) counted GROUP BY 1`.execute(db)
  const found = new Map(rows.map(({ place, ...counts }) => [place, counts]))
  return bounds.slice(1).map((_, at) => found.get(at + 1) ?? { opened: 0, deleted: 0, sent: 0 })
}

/** Who was there between each two consecutive bounds, each user once; the bounds are a day apart, of 25 hours at most. */
export async function activeUsers(db: Queryable, bounds: readonly Date[]): Promise<number[]> {
  const first = bounds[0] ?? new Date(0)
  const last = bounds.at(-1) ?? first
  const { rows } = await sql<{ place: number; users: number }>`
    SELECT place, sum(fresh[1 + floor(date_part('epoch', at - starts[place]) / 1800)::int])::int AS users
    FROM (
      SELECT at, fresh, starts, width_bucket(at, starts) AS place
      FROM active_users, (SELECT ${[...bounds]}::timestamptz[] AS starts) b WHERE at >= ${first} AND at < ${last}
    ) placed GROUP BY 1`.execute(db)
  const found = new Map(rows.map(({ place, users }) => [place, users]))
  return bounds.slice(1).map((_, at) => found.get(at + 1) ?? 0)
}

/** Since when active users are counted. */
export async function activeUsersSince(db: Queryable): Promise<Date | null> {
  const row = await db
    .selectFrom('active_users')
    .select((of) => of.fn.min<Date | null>('at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Accounts that were removed for good: those that were opened, without those that are there. */
export async function countRemoved(db: Queryable): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    SELECT greatest(0, (SELECT coalesce(sum(opened[1] + opened[2] + opened[3] + opened[4]), 0) FROM house_activity
        WHERE opened <> '{0,0,0,0}')
      - (SELECT coalesce(sum(accounts), 0) FROM account_counts))::int AS removed`.execute(db)
  return rows[0]?.removed ?? 0
}

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
