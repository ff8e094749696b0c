import { sql } from 'kysely'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { BatchRow } from './store.ts'

/** A run of any user. */
export type RunKey = { userId: number; id: number }

/** Mails of a run `b` in a queue that are to be tried by an instant. Those with priority 0 a person sends again. */
const hasDue = (queue: 'due' | 'held', by: Date) => sql`EXISTS (
  SELECT FROM deliveries d WHERE d.queue = ${queue} AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.priority = 1
    AND d.next_try_at <= ${by} AND d.state IN ('queued', 'deferred', 'held')
    -- Must not use an index: the one on groups would find everything that the run has sent.
    AND d.group_id IS NOT DISTINCT FROM b.id)`

/**
 * The next runs after one that nobody drives at the moment, and of whose mails some are to be tried by an instant: it is done,
 * it waits or it is paused.
 */
export const runsWithLateMails = (
  db: Queryable,
  { after, now, by, limit }: { after: RunKey | undefined; now: Date; by: Date; limit: number },
) => rowsOf<RunKey>(db)`
  SELECT b.user_id AS "userId", b.id FROM outreach_batches b
  WHERE b.settled_at IS NULL AND b.state <> 'cancelled' AND (b.user_id, b.id) > (${after?.userId ?? 0}, ${after?.id ?? 0})
    AND (b.state <> 'running' OR b.waits_for IS NOT NULL) AND NOT mail_is_paused(b.user_id)
    AND (${hasDue('due', by)}
      OR b.state = 'done' AND (b.look_again_at IS NULL OR b.look_again_at <= ${now}) AND ${hasDue('held', by)})
  ORDER BY b.user_id, b.id LIMIT ${limit}`

/** Takes a run that nobody drives until the transaction ends; undefined if somebody has it, or it goes on by now. */
export const takeRun = (tx: Tx, { userId, id }: RunKey) => rowOf<BatchRow>(tx)`
  SELECT * FROM outreach_batches
  WHERE user_id = ${userId} AND id = ${id} AND state <> 'cancelled' AND (state <> 'running' OR waits_for IS NOT NULL)
  FOR NO KEY UPDATE SKIP LOCKED`

/** After a restore: held mails of runs that are done wait as others do. Some may have left, and their owner is asked about them. */
export const queueHeldOfDone = (tx: Tx) => execute(tx)`
  UPDATE deliveries d SET state = 'queued', queue = 'due' FROM outreach_batches b
  WHERE b.settled_at IS NULL AND b.state = 'done' AND d.queue = 'held' AND d.state = 'held'
    AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.group_id = b.id`

/** Notes which runs are done of which no mail can leave by itself any more. */
export const settleRuns = (db: Queryable, now: Date) => execute(db)`
  UPDATE outreach_batches b SET settled_at = ${now}, look_again_at = NULL
  WHERE b.settled_at IS NULL AND b.state = 'done' AND NOT EXISTS (
    SELECT FROM deliveries d
    WHERE d.queue IN ('due', 'held', 'unsure') AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id
      AND d.group_id IS NOT DISTINCT FROM b.id AND (d.state <> 'unsure' OR d.resends = 0 OR d.after_crash))`

/** A contact of a run whose mail is held. */
export type HeldItem = { contactId: number; address: string; emailId: number }

/** The contacts of a run whose mails are held and surely have not left; of these mails, or of all. */
export const heldItems = (
  tx: Tx,
  { user_id: userId, id, mailbox_id: mailboxId }: BatchRow,
  emailIds: readonly number[] | null,
) => rowsOf<HeldItem>(tx)`
  SELECT i.contact_id AS "contactId", i.address, i.email_id AS "emailId"
  FROM deliveries d JOIN outreach_items i ON i.user_id = d.user_id AND i.batch_id = ${id} AND i.email_id = d.email_id
  WHERE d.queue = 'held' AND d.user_id = ${anyUser(userId)} AND d.mailbox_id = ${mailboxId}
    AND d.group_id IS NOT DISTINCT FROM ${id} AND d.state = 'held' AND d.resends = 0 AND NOT d.after_crash
    AND (${emailIds === null} OR d.email_id = ANY(${[...(emailIds ?? [])]}::bigint[]))
  ORDER BY i.contact_id`

/** Mails that were taken back, and are to be written again. */
export const writeAgain = (tx: Tx, { user_id, id }: BatchRow, emailIds: readonly number[]) => execute(tx)`
  UPDATE outreach_items SET state = 'pending', reason = NULL, email_id = NULL, templated = false
  WHERE user_id = ${user_id} AND batch_id = ${id} AND email_id = ANY(${[...emailIds]}::bigint[])`
