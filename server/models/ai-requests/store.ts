import type { Insertable, Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { didChange, execute, numberOf, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { CountedDay } from './day.ts'
import type { AiDaysTable, AiUsesTable } from './tables.ts'

/** Uses of one user are taken one after the other, so that a limit is never passed. */
export const lockUses = (tx: Tx, userId: number) =>
  execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('ai_uses', ${userId}))`

/**
 * What a day's limits count, with what is at work. A request is made when it was answered, or the model had begun to work
 * on it.
 */
export type DayCounts = {
  /** Those that the plan has paid. */
  byPlan: number
  made: number
  /** Those of the instance's model. */
  madeOfInstance: number
  /** Credits of uses that have not ended, of whichever day. */
  heldCredits: number
}

/** Open uses that began before `aliveSince` died with their process, and count nothing. */
export const countDay = (
  db: Queryable,
  userId: number,
  day: string,
  aliveSince: Date,
) => onlyRowOf<DayCounts>(db)`
    SELECT (d.by_plan + o.by_plan)::int AS "byPlan", (d.made + o.made)::int AS made,
      (d.of_house + o.of_house)::int AS "madeOfInstance", o.held::int AS "heldCredits"
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
    ) o`

/** The day that the user's newest use counts on. */
export const newestDay = (db: Queryable, userId: number) => rowOf<CountedDay>(db)`
  SELECT day, day_ends_at FROM ai_uses WHERE user_id = ${userId} ORDER BY id DESC LIMIT 1`

/** How often a model was asked for a purpose in a day, whatever came of it. */
export const countOfPurpose = (db: Queryable, userId: number, day: string, use: string) => numberOf(db)`
  SELECT (coalesce((SELECT sum(used + failed) FROM ai_days WHERE user_id = ${userId} AND day = ${day} AND purpose = ${use}), 0)
    + (SELECT count(*) FROM ai_uses
      WHERE user_id = ${userId} AND state = 'open' AND day = ${day} AND purpose = ${use}))::int AS uses`

export async function insertUse(tx: Tx, use: Insertable<AiUsesTable>): Promise<number> {
  const { id } = await tx.insertInto('ai_uses').values(use).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Whether a use was of the user's own model; undefined where there is no such use. */
export async function isOwnUse(db: Queryable, userId: number, id: number): Promise<boolean | undefined> {
  const use = await rowOf<{ is_own: boolean }>(db)`
    SELECT is_own FROM ai_uses WHERE user_id = ${userId} AND id = ${id}`
  return use?.is_own
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
export const addUsage = (
  tx: Tx,
  userId: number,
  id: number,
  more: { inputTokens: number; outputTokens: number; milliseconds: number; cost: number | null },
) => execute(tx)`
  UPDATE ai_uses SET input_tokens = coalesce(input_tokens, 0) + ${more.inputTokens},
    output_tokens = coalesce(output_tokens, 0) + ${more.outputTokens},
    milliseconds = coalesce(milliseconds, 0) + ${more.milliseconds}, cost = cost + ${more.cost}::bigint
  WHERE user_id = ${userId} AND id = ${id}`

/** Sums of each purpose and each kind of model since a day, and how much of them is of the day `today`. */
export type PurposeSums = Pick<
  AiDaysTable,
  'used' | 'failed' | 'input_tokens' | 'output_tokens' | 'milliseconds' | 'cost' | 'unpriced_tokens'
> & { purpose: string; isToday: boolean }

export const sumPurposes = (
  db: Queryable,
  userId: number,
  since: string,
  today: string,
) => rowsOf<PurposeSums>(db)`
  SELECT purpose, day = ${today} AS "isToday", sum(used)::bigint AS used, sum(failed)::bigint AS failed,
    sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
    sum(milliseconds)::bigint AS milliseconds, sum(cost)::bigint AS cost, sum(unpriced_tokens)::bigint AS unpriced_tokens
  FROM ai_days WHERE user_id = ${userId} AND day BETWEEN ${since} AND ${today}
  GROUP BY 1, 2 HAVING sum(used + failed) > 0 ORDER BY 1, 2`

/** How many AI requests a day the user allows himself; null: any number. */
export async function findCap(db: Queryable, userId: number): Promise<number | null> {
  const cap = await rowOf<{ requests: number }>(db)`SELECT requests FROM ai_caps WHERE user_id = ${userId}`
  return cap?.requests ?? null
}

export const saveCap = (db: Queryable, userId: number, requests: number | null) =>
  requests === null
    ? execute(db)`DELETE FROM ai_caps WHERE user_id = ${userId}`
    : execute(db)`
        INSERT INTO ai_caps (user_id, requests) VALUES (${userId}, ${requests})
        ON CONFLICT (user_id) DO UPDATE SET requests = excluded.requests`

/** Counts a request on the instance's day; false where it has `max` already. */
export const takeForInstance = (tx: Tx, day: string, max: number) => didChange(tx)`
  INSERT INTO ai_house_days AS h (day, requests) VALUES (${day}, 1)
  ON CONFLICT (day) DO UPDATE SET requests = h.requests + 1 WHERE h.requests < ${max}`

export const giveBackForInstance = (tx: Tx, day: string) =>
  execute(tx)`UPDATE ai_house_days SET requests = requests - 1 WHERE day = ${day} AND requests > 0`

export const countForInstance = (db: Queryable, day: string) =>
  numberOf(db)`SELECT requests FROM ai_house_days WHERE day = ${day}`

/** Uses whose process died while the model was at work, the oldest first. */
export const deadUses = (db: Queryable, aliveSince: Date, limit: number) => rowsOf<DeadUse>(db)`
  SELECT user_id, id, is_own, started_at FROM ai_uses
  WHERE state = 'open' AND started_at <= ${aliveSince} ORDER BY started_at LIMIT ${limit}`

type DeadUse = Pick<Selectable<AiUsesTable>, 'user_id' | 'id' | 'is_own' | 'started_at'>

/** Removes uses that began before an instant. @returns how many; at most `limit` */
export const forgetUses = (db: Queryable, before: Date, limit: number) => execute(db)`
  DELETE FROM ai_uses u USING (
    SELECT user_id, id FROM ai_uses WHERE started_at < ${before} AND state <> 'open' ORDER BY started_at LIMIT ${limit}
  ) old WHERE u.user_id = old.user_id AND u.id = old.id`

/** Removes the sums of days, of users and of the instance. */
export async function forgetDays(db: Queryable, usersBefore: string, instanceBefore: string): Promise<void> {
  await execute(db)`DELETE FROM ai_days WHERE day < ${usersBefore}`
  await execute(db)`DELETE FROM ai_house_days WHERE day < ${instanceBefore}`
}
