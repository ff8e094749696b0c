import { sql } from 'kysely'
import { anyUser } from '../../database/any-user.ts'
import type { DeliveryState } from '../tables.ts'
import type { Queryable, Tx } from '../../database/handles.ts'

export type DeliveryStatus = { state: DeliveryState; reason: string | null }

/** How one mail stands; undefined when it is none that goes out. */
export async function deliveryState(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<DeliveryStatus | undefined> {
  return (await deliveriesOf(db, userId, [emailId])).get(emailId)
}

/** How single mails stand, by their ids. */
export async function deliveriesOf(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Map<number, DeliveryStatus>> {
  if (emailIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .select(['email_id', 'state', 'reason'])
    .where('user_id', '=', userId)
    .where('email_id', 'in', [...emailIds])
    .execute()
  return new Map(rows.map((row) => [row.email_id, { state: row.state, reason: row.reason }]))
}

/** Mails that stand in Sent and have not left: on their way, put off, refused, or unsure. */
export async function countUnsent(db: Queryable, userId: number): Promise<number> {
  const { rows } = await sql<{ unsent: number }>`
    SELECT coalesce(sum(unsent), 0)::bigint AS unsent FROM unsent_counts WHERE user_id = ${userId}`.execute(
    db,
  )
  return rows[0]?.unsent ?? 0
}

export type GroupCount = {
  state: DeliveryState
  templated: boolean
  count: number
  /** Of these, how many ended after `since`. */
  recent: number
  /** Of these, how many are not put away yet: their addressees do not count as mailed. */
  fresh: number
  /** The earliest next try among them. */
  next_try_at: Date | null
}

/** How the mails of a group stand. */
export async function countGroup(
  db: Queryable,
  userId: number,
  groupId: number,
  since: Date,
): Promise<GroupCount[]> {
  const { rows } = await sql<GroupCount>`
    SELECT state, templated, count(*) AS count, count(*) FILTER (WHERE settled_at > ${since}) AS recent,
      count(*) FILTER (WHERE state = 'sent' AND shelf IS NOT NULL) AS fresh, min(next_try_at) AS next_try_at
    FROM deliveries
    WHERE user_id = ${userId} AND group_id = ${groupId} GROUP BY 1, 2`.execute(db)
  return rows
}

/** How many mails of a group wait to be claimed, counted no further than `most`. */
export async function countQueued(
  db: Queryable,
  group: { userId: number; mailboxId: number; groupId: number },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ queued: number }>`
    SELECT count(*) AS queued FROM (
      SELECT FROM deliveries
      WHERE shelf = 'due' AND user_id = ${anyUser(group.userId)} AND mailbox_id = ${group.mailboxId} AND state = 'queued'
        -- No index looks this up: the one of groups would find all that the group has sent.
        AND group_id IS NOT DISTINCT FROM ${group.groupId} LIMIT ${most}
    ) found`.execute(db)
  return rows[0]?.queued ?? 0
}

/**
 * Holds what of a group has not been marked yet. A worker that has claimed some of it finds the claim lost before the
 * final dot, and the far server takes nothing.
 */
export async function holdGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = 'held', shelf = 'held', worker_id = NULL
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state IN ('queued', 'deferred', 'claimed')`.execute(
    db,
  )
}

export async function releaseGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = 'queued', shelf = 'due'
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state = 'held'`.execute(db)
}

/**
 * Takes back what of a group has not left: the mails are deleted as if never written. The deliveries are locked first, so
 * that a mail whose final dot is being marked at this moment is either marked, and stays, or goes and is not sent. What
 * may have left, and was to be sent once more, stays as well, unsure for good.
 *
 * @returns the ids of the mails taken back
 */
export async function withdrawGroup(tx: Tx, userId: number, groupId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH back AS (
      SELECT email_id, resends FROM deliveries
      WHERE user_id = ${userId} AND group_id = ${groupId} AND state IN ('queued', 'deferred', 'held', 'claimed')
      FOR UPDATE
    ), kept AS (
      UPDATE deliveries d SET state = 'unsure', shelf = 'unsure', worker_id = NULL, after_crash = false
      FROM back WHERE back.resends > 0 AND d.user_id = ${userId} AND d.email_id = back.email_id
    )
    DELETE FROM emails e USING back WHERE e.user_id = ${userId} AND e.id = back.email_id AND back.resends = 0
    RETURNING e.id`.execute(tx)
  return rows.map((row) => row.id)
}
