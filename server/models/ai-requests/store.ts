import { type Insertable, type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { CountedDay } from './day.ts'
import type { AiDaysTable, AiUsesTable } from './tables.ts'

/** Uses of one user are taken one after the other, so that a limit is never passed. */
export async function lockUses(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('ai_uses', ${userId}))`.execute(tx)
}

/**
 * What a day's limits count, with what is at work. A request is made when it was answered, or the model had begun to work
 * on it.
 */
export type DayCounts = {
  /** Those that the plan has paid. */
  byPlan: number
  made: number
  /** Those of the house's model. */
  madeOfHouse: number
  /** Credits of uses that have not ended, of whichever day. */
  heldCredits: number
}

/** Open uses that began before `aliveSince` died with their process, and count nothing. */
export async function countDay(
  db: Queryable,
  userId: number,
  day: string,
  aliveSince: Date,
): Promise<DayCounts> {
  const { rows } = await sql<DayCounts>`
    SELECT (d.by_plan + o.by_plan)::int AS "byPlan", (d.made + o.made)::int AS made,
      (d.of_house + o.of_house)::int AS "madeOfHouse", o.held::int AS "heldCredits"
    FROM (
      SELECT coalesce(sum(by_plan), 0) AS by_plan, coalesce(sum(used + failed_at_work), 0) AS made,
        coalesce(sum(used + failed_at_work) FILTER (WHERE NOT is_own), 0) AS of_house
      FROM ai_days WHERE user_id = ${userId} AND day = ${day}
    ) d, (
      SELECT count(*) FILTER (WHERE day = ${day} AND paid_by = 'plan') AS by_plan,
        count(*) FILTER (WHERE day = ${day}) AS made,
        count(*) FILTER (WHERE day = ${day} AND NOT is_own) AS of_house,
        count(*) FILTER (WHERE paid_by = 'credit') AS held
      FROM ai_uses WHERE user_id = ${userId} AND state = 'open' AND started_at > ${aliveSince}
    ) o`.execute(db)
  return rows[0] ?? { byPlan: 0, made: 0, madeOfHouse: 0, heldCredits: 0 }
}

/** The day that the user's newest use counts on. */
export async function newestDay(db: Queryable, userId: number): Promise<CountedDay | undefined> {
  return db
    .selectFrom('ai_uses')
    .select(['day', 'day_ends_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** How often a model was asked for a purpose in a day, whatever came of it. */
export async function countOfPurpose(
  db: Queryable,
  userId: number,
  day: string,
  purpose: string,
): Promise<number> {
  const { rows } = await sql<{ uses: number }>`
    SELECT (coalesce((SELECT sum(used + failed) FROM ai_days WHERE user_id = ${userId} AND day = ${day} AND purpose = ${purpose}), 0)
      + (SELECT count(*) FROM ai_uses
        WHERE user_id = ${userId} AND state = 'open' AND day = ${day} AND purpose = ${purpose}))::int AS uses`.execute(
    db,
  )
  return rows[0]?.uses ?? 0
}

export async function insertUse(tx: Tx, use: Insertable<AiUsesTable>): Promise<number> {
  const { id } = await tx.insertInto('ai_uses').values(use).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Whether a use was of the user's own model; undefined where there is no such use. */
export async function isOwnUse(db: Queryable, userId: number, id: number): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('ai_uses')
    .select('is_own')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.is_own
}

/** Ends an open use, and says who paid for it; undefined when it was ended before. */
export async function endUse(
  tx: Tx,
  userId: number,
  id: number,
  end: Pick<
    Selectable<AiUsesTable>,
    'state' | 'input_tokens' | 'output_tokens' | 'milliseconds' | 'cost' | 'ended_at'
  >,
): Promise<AiUsesTable['paid_by'] | undefined> {
  const row = await tx
    .updateTable('ai_uses')
    .set(end)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('paid_by')
    .executeTakeFirst()
  return row?.paid_by
}

/** Adds to what a use has cost. Where the price of a part is unknown, so is that of the whole. */
export async function addUsage(
  tx: Tx,
  userId: number,
  id: number,
  more: { inputTokens: number; outputTokens: number; milliseconds: number; cost: number | null },
): Promise<void> {
  await sql`
    UPDATE ai_uses SET input_tokens = coalesce(input_tokens, 0) + ${more.inputTokens},
      output_tokens = coalesce(output_tokens, 0) + ${more.outputTokens},
      milliseconds = coalesce(milliseconds, 0) + ${more.milliseconds}, cost = cost + ${more.cost}::bigint
    WHERE user_id = ${userId} AND id = ${id}`.execute(tx)
}

/** Sums of each purpose and each kind of model since a day, and how much of them is of the day `today`. */
export type PurposeSums = Pick<
  AiDaysTable,
  'used' | 'failed' | 'input_tokens' | 'output_tokens' | 'milliseconds' | 'cost' | 'unpriced_tokens'
> & { purpose: string; isToday: boolean }

export async function sumPurposes(
  db: Queryable,
  userId: number,
  since: string,
  today: string,
): Promise<PurposeSums[]> {
  const { rows } = await sql<PurposeSums>`
    SELECT purpose, day = ${today} AS "isToday", sum(used)::bigint AS used, sum(failed)::bigint AS failed,
      sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
      sum(milliseconds)::bigint AS milliseconds, sum(cost)::bigint AS cost, sum(unpriced_tokens)::bigint AS unpriced_tokens
    FROM ai_days WHERE user_id = ${userId} AND day BETWEEN ${since} AND ${today}
    GROUP BY 1, 2 HAVING sum(used + failed) > 0 ORDER BY 1, 2`.execute(db)
  return rows
}

/** How many AI requests a day the user allows himself; null: any number. */
export async function findCap(db: Queryable, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom('ai_caps')
    .select('requests')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.requests ?? null
}

export async function saveCap(db: Queryable, userId: number, requests: number | null): Promise<void> {
  if (requests === null) await db.deleteFrom('ai_caps').where('user_id', '=', userId).execute()
  else
    await db
      .insertInto('ai_caps')
      .values({ user_id: userId, requests })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ requests }))
      .execute()
}

/** Counts a request on the house's day; false where it has `max` already. */
export async function takeForHouse(tx: Tx, day: string, max: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO ai_house_days AS h (day, requests) VALUES (${day}, 1)
    ON CONFLICT (day) DO UPDATE SET requests = h.requests + 1 WHERE h.requests < ${max} RETURNING 1`.execute(
    tx,
  )
  return rows.length > 0
}

export async function giveBackForHouse(tx: Tx, day: string): Promise<void> {
  await sql`UPDATE ai_house_days SET requests = requests - 1 WHERE day = ${day} AND requests > 0`.execute(tx)
}

export async function countForHouse(db: Queryable, day: string): Promise<number> {
  const row = await db
    .selectFrom('ai_house_days')
    .select('requests')
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.requests ?? 0
}

/** Uses whose process died while the model was at work, the oldest first. */
export async function deadUses(db: Queryable, aliveSince: Date, limit: number) {
  return db
    .selectFrom('ai_uses')
    .select(['user_id', 'id', 'is_own', 'started_at'])
    .where('state', '=', 'open')
    .where('started_at', '<=', aliveSince)
    .orderBy('started_at')
    .limit(limit)
    .execute()
}

/** Removes uses that began before an instant. @returns how many; at most `limit` */
export async function forgetUses(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM ai_uses u USING (
      SELECT user_id, id FROM ai_uses WHERE started_at < ${before} AND state <> 'open' ORDER BY started_at LIMIT ${limit}
    ) old WHERE u.user_id = old.user_id AND u.id = old.id RETURNING 1`.execute(db)
  return rows.length
}

/** Removes the sums of days, of users and of the house. */
export async function forgetDays(db: Queryable, usersBefore: string, houseBefore: string): Promise<void> {
  await db.deleteFrom('ai_days').where('day', '<', usersBefore).execute()
  await db.deleteFrom('ai_house_days').where('day', '<', houseBefore).execute()
}
