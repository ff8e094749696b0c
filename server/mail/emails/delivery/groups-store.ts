import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../platform/context.ts'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { DeliveryState } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { execute, idsOf, numberOf, rowsOf } from '../../../platform/database/rows.ts'

/** What became of one email, and why. */
export type DeliveryStatus = { state: DeliveryState; reason: string | null }

/** The status of one email's delivery; undefined if it has none. */
export async function deliveryState(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<DeliveryStatus | undefined> {
  return (await deliveriesOf(db, userId, [emailId])).get(emailId)
}

/** The status of emails' deliveries, by email id. */
export async function deliveriesOf(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Map<number, DeliveryStatus>> {
  const { rows } = await sql<DeliveryStatus & { id: number }>`
    SELECT email_id AS id, state, reason FROM deliveries
    WHERE user_id = ${userId} AND email_id = ANY(${[...emailIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...status }) => [id, status]))
}

/** How many emails of a group are in one state. */
export type GroupCount = {
  state: DeliveryState
  templated: boolean
  count: number
  /** How many of them ended after `since`. */
  recent: number
  /** How many of them are not finalized yet: their recipients do not count as mailed. */
  fresh: number
  /** The earliest next try among them. */
  next_try_at: Date | null
}

/** Counts the emails of a group by state. */
export async function countGroup(
  db: Queryable,
  userId: number,
  groupId: number,
  since: Date,
): Promise<GroupCount[]> {
  return rowsOf<GroupCount>(db)`
    SELECT state, templated, count(*) AS count, count(*) FILTER (WHERE settled_at > ${since}) AS recent,
      count(*) FILTER (WHERE state = 'sent' AND queue IS NOT NULL) AS fresh, min(next_try_at) AS next_try_at
    FROM deliveries
    WHERE user_id = ${userId} AND group_id = ${groupId} GROUP BY 1, 2`
}

/** How many emails of a group wait to be claimed, counted up to `max`. */
export async function countQueued(
  db: Queryable,
  group: { userId: number; mailboxId: number; groupId: number },
  max: number,
): Promise<number> {
  return numberOf(db)`
    SELECT count(*) AS queued FROM (
      SELECT FROM deliveries
      WHERE queue = 'due' AND user_id = ${anyUser(group.userId)} AND mailbox_id = ${group.mailboxId} AND state = 'queued'
        -- Must not use an index: the one on groups would find everything that the group has sent.
        AND group_id IS NOT DISTINCT FROM ${group.groupId} LIMIT ${max}
    ) found`
}

/**
 * Holds the emails of a group that are not committed yet. A worker that has claimed one of them finds its claim lost before
 * the final dot, so the far server accepts nothing.
 */
export async function holdGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = 'held', queue = 'held', worker_id = NULL
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state IN ('queued', 'deferred', 'claimed')
    `.execute(db)
}

/** Queues the held emails of a group again. Those that may have left are looked up in Sent first. */
export async function releaseGroup(db: Queryable, userId: number, groupId: number): Promise<void> {
  await sql`UPDATE deliveries SET state = CASE WHEN after_crash THEN 'unsure' ELSE 'queued' END,
      queue = CASE WHEN after_crash THEN 'unsure' ELSE 'due' END
    WHERE user_id = ${userId} AND group_id = ${groupId} AND state = 'held'`.execute(db)
}

/**
 * Withdraws the emails of a group that have not left: they are deleted as if never written. The deliveries are locked
 * first, so that an email that is being committed at this moment is either committed and stays, or is deleted and not sent.
 * An email that may have left, and that waits to be sent again, also stays and is unsure for good.
 *
 * @returns the ids of the deleted emails
 */
export async function withdrawGroup(tx: Tx, userId: number, groupId: number): Promise<number[]> {
  return withdraw(tx, userId, sql`group_id = ${groupId}`)
}

/** Withdraws these emails as far as they have not left, as `withdrawGroup` does. */
export async function withdrawEmails(tx: Tx, userId: number, emailIds: readonly number[]): Promise<number[]> {
  if (emailIds.length === 0) return []
  return withdraw(tx, userId, sql`email_id = ANY(${[...emailIds]}::bigint[])`)
}

async function withdraw(tx: Tx, userId: number, which: RawBuilder<unknown>): Promise<number[]> {
  return idsOf(tx)`
    WITH withdrawn AS (
      SELECT email_id, resends FROM deliveries
      WHERE user_id = ${userId} AND ${which} AND state IN ('queued', 'deferred', 'held', 'claimed')
      FOR UPDATE
    ), kept AS (
      UPDATE deliveries d SET state = 'unsure', queue = 'unsure', worker_id = NULL, after_crash = false
      FROM withdrawn w WHERE w.resends > 0 AND d.user_id = ${userId} AND d.email_id = w.email_id
    )
    DELETE FROM emails e USING withdrawn w WHERE e.user_id = ${userId} AND e.id = w.email_id AND w.resends = 0
    RETURNING e.id`
}

/** Puts claims of this worker back into the queue until an instant. What a far server has put off before is still said to be. */
export async function putOffClaims(
  { workerId }: Pick<Context, 'workerId'>,
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
  until: Date,
): Promise<void> {
  if (emailIds.length === 0) return
  await execute(db)`
    UPDATE deliveries SET state = CASE WHEN reason IS NULL THEN 'queued' ELSE 'deferred' END, worker_id = NULL,
      attempt = attempt - 1, next_try_at = ${until}
    WHERE user_id = ${userId} AND email_id = ANY(${[...emailIds]}::bigint[]) AND state = 'claimed' AND worker_id = ${workerId}`
}

/** Lets the emails of runs that wait, of a user or of one account, be tried at once. */
export const tryNow = (db: Queryable, userId: number, mailboxId: number | null, now: Date) => execute(db)`
  UPDATE deliveries SET next_try_at = ${now}
  WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND (${mailboxId}::bigint IS NULL OR mailbox_id = ${mailboxId})
    AND group_id > 0 AND state IN ('queued', 'deferred') AND next_try_at > ${now}`
