import { type Insertable, type Selectable, sql } from 'kysely'
import { insertNewRows } from '../../platform/database/insert-rows.ts'
import type { OutreachBatchesTable, OutreachItemsTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { didChange, execute, hasRows, idsOf, numberOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type BatchRow = Selectable<OutreachBatchesTable>
export type ItemRow = Selectable<OutreachItemsTable>
/** A run of any user. */
export type Run = { userId: number; batchId: number }

/** A run as what sends from its account. */
export const sendingOf = (batch: Pick<BatchRow, 'user_id' | 'mailbox_id' | 'spread'>) => ({
  userId: batch.user_id,
  mailboxId: batch.mailbox_id,
  spread: batch.spread === true,
})

/** The current run, if there is one. */
export const activeBatch = (db: Queryable, userId: number) => rowOf<BatchRow>(db)`
  SELECT * FROM outreach_batches WHERE user_id = ${userId} AND state IN ('running', 'paused')`

export const newestBatch = (db: Queryable, userId: number) => rowOf<BatchRow>(db)`
  SELECT * FROM outreach_batches WHERE user_id = ${userId} ORDER BY id DESC LIMIT 1`

export const findBatch = (db: Queryable, userId: number, id: number) =>
  rowOf<BatchRow>(db)`SELECT * FROM outreach_batches WHERE user_id = ${userId} AND id = ${id}`

/** Whether a user has chosen for an account before how a run through it is to go. */
export const hasChosenSpread = async (db: Queryable, userId: number, mailboxId: number) =>
  (await rowOf(db)`
    SELECT FROM outreach_batches
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND spread IS NOT NULL LIMIT 1`) !== undefined

/**
 * @throws a unique violation of outreach_one_at_a_time while another run is in progress
 */
export const addBatch = (tx: Tx, batch: Omit<Insertable<OutreachBatchesTable>, 'state'>): Promise<BatchRow> =>
  tx
    .insertInto('outreach_batches')
    .values({
      ...batch,
      audience: batch.audience == null ? null : sql`${JSON.stringify(batch.audience)}::jsonb`,
      template: batch.template == null ? null : sql`${JSON.stringify(batch.template)}::jsonb`,
      state: 'running',
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Notes the AI request that a run counts on from now on. */
export const noteAiUse = (tx: Tx, userId: number, id: number, useId: number) =>
  execute(tx)`UPDATE outreach_batches SET ai_use_id = ${useId} WHERE user_id = ${userId} AND id = ${id}`

/** Moves a run that is under way to another state; undefined where it is over, or there is none. */
export const moveBatch = (
  tx: Tx,
  userId: number,
  id: number,
  state: BatchRow['state'],
  finishedAt: Date | null = null,
) =>
  rowOf<BatchRow>(tx)`
    UPDATE outreach_batches SET state = ${state}, finished_at = ${finishedAt}, drive_at = NULL, wakes = wakes + 1
    WHERE user_id = ${userId} AND id = ${id} AND state IN ('running', 'paused') RETURNING *`

/**
 * True while a run is running; it then stays so until the transaction ends. Call this before writing anything for the
 * run: a pause or a cancel must either see all of it or come first.
 */
export async function keepRunning(tx: Tx, userId: number, id: number): Promise<boolean> {
  const row = await rowOf<unknown>(tx)`
    SELECT id FROM outreach_batches
    WHERE user_id = ${userId} AND id = ${id} AND state = 'running' FOR NO KEY UPDATE`
  return row !== undefined
}

/** Locks a run, whatever its state. */
export const lockBatch = (tx: Tx, userId: number, id: number) => rowOf<BatchRow>(tx)`
  SELECT * FROM outreach_batches WHERE user_id = ${userId} AND id = ${id} FOR NO KEY UPDATE`

/** Becomes the driver of a run; false when another live worker is. */
export const becomeDriver = (db: Queryable, userId: number, id: number, workerId: string) => didChange(db)`
  UPDATE outreach_batches SET driver_id = ${workerId}
  WHERE user_id = ${userId} AND id = ${id} AND state = 'running' AND NOT mail_is_paused(user_id)
    AND (driver_id IS NULL OR driver_id = ${workerId} OR driver_id NOT IN (SELECT id FROM workers))`

/** The user's runs that are done and of which mails may still leave. */
export const runsWithLastMails = (db: Queryable, userId: number) => idsOf(db)`
  SELECT DISTINCT b.id FROM deliveries d JOIN outreach_batches b ON b.user_id = d.user_id AND b.id = d.group_id
  WHERE d.queue = 'due' AND d.user_id = ${userId} AND b.state = 'done' ORDER BY 1`

/** Pauses the running runs of one user, or of all; returns which. Their mails are the caller's to hold. */
export const pauseAllRuns = (tx: Tx, userId: number | null = null) => rowsOf<Run>(tx)`
  UPDATE outreach_batches SET state = 'paused'
  WHERE state = 'running' AND (${userId}::bigint IS NULL OR user_id = ${userId})
  RETURNING user_id AS "userId", id AS "batchId"`

/** Ends a worker's turn at a run. One that failed is tried again after 2 s, then 4 s, and so on up to 10 minutes. */
export const stopDriving = (
  db: Queryable,
  { userId, batchId, workerId, now, failure }: Run & { workerId: string; now: Date; failure: string | null },
) => execute(db)`
  UPDATE outreach_batches SET driver_id = NULL,
    drive_at = CASE WHEN ${failure}::text IS NULL THEN ${now}::timestamptz
      ELSE ${now}::timestamptz + least(2 * 2 ^ least(failures, 10), 600) * interval '1 second' END,
    failures = CASE WHEN ${failure}::text IS NULL THEN 0 ELSE failures + 1 END,
    last_failure = coalesce(${failure}::text, last_failure),
    failed_at = CASE WHEN ${failure}::text IS NULL THEN failed_at ELSE ${now}::timestamptz END
  WHERE user_id = ${userId} AND id = ${batchId} AND driver_id = ${workerId}`

/** Notes what a run that is running waits for, and when it looks again; null: it goes on. */
export const noteWaiting = (
  db: Queryable,
  userId: number,
  id: number,
  waitsFor: BatchRow['waits_for'],
  lookAgainAt: Date | null,
) => execute(db)`
  UPDATE outreach_batches SET waits_for = ${waitsFor}, look_again_at = ${lookAgainAt}
  WHERE user_id = ${userId} AND id = ${id} AND state = 'running'`

/**
 * Notes how often in a row the model has failed a run, and when it is asked again; with none, the run goes on. Nothing is noted
 * where the run was woken since it was read: what is known of its model is out of date then.
 */
export const noteModelFailures = (
  db: Queryable,
  { user_id, id, wakes }: BatchRow,
  { failures, sentence, askAgainAt }: { failures: number; sentence: string; askAgainAt: Date | null },
) => execute(db)`
  UPDATE outreach_batches SET model_failures = ${failures}, last_model_failure = ${sentence},
    waits_for = ${failures === 0 ? null : 'model'}, look_again_at = ${askAgainAt}
  WHERE user_id = ${user_id} AND id = ${id} AND wakes = ${wakes}`

/** Has the rest of a run that is under way written from the template; undefined where it is over, or there is none. */
export const setWithoutModel = (tx: Tx, userId: number, id: number) => rowOf<BatchRow>(tx)`
  UPDATE outreach_batches SET without_model = true, model_failures = 0, wakes = wakes + 1, waits_for = nullif(waits_for, 'model'),
    look_again_at = CASE waits_for WHEN 'model' THEN NULL ELSE look_again_at END
  WHERE user_id = ${userId} AND id = ${id} AND state IN ('running', 'paused') RETURNING *`

/** Running runs that, according to the table, no other worker is driving. Those that wait are left alone until they look again. */
export const runsWithoutDriver = (db: Queryable, workerId: string, now: Date) => rowsOf<Run>(db)`
  SELECT user_id AS "userId", id AS "batchId" FROM outreach_batches
  WHERE state = 'running' AND NOT mail_is_paused(user_id) AND (look_again_at IS NULL OR look_again_at <= ${now})
    AND (drive_at IS NULL OR drive_at <= ${now})
    AND (driver_id IS NULL OR driver_id = ${workerId} OR driver_id NOT IN (SELECT id FROM workers))`

/** Notes that every contact of a run has its row. Ids of an audience are no longer needed then: the rows have them. */
export const noteListed = (tx: Tx, userId: number, id: number, total: number) => execute(tx)`
  UPDATE outreach_batches SET is_listed = true, total = ${total},
    audience = CASE WHEN audience ? 'contact_ids' THEN '{"contact_ids": []}' ELSE audience END
  WHERE user_id = ${userId} AND id = ${id}`

export const addTokens = (tx: Tx, userId: number, id: number, tokens: number) => execute(tx)`
  UPDATE outreach_batches SET tokens_used = tokens_used + ${tokens} WHERE user_id = ${userId} AND id = ${id}`

/** Adds a run's rows; existing ones stay as they are. */
export async function addItems(tx: Tx, items: readonly Omit<ItemRow, 'email_id' | 'templated'>[]) {
  await insertNewRows(tx, 'outreach_items', items)
}

/** The last contact for which a run's row exists. */
export const lastListed = (db: Queryable, userId: number, batchId: number) => numberOf(db)`
  SELECT max(contact_id) AS last FROM outreach_items WHERE user_id = ${userId} AND batch_id = ${batchId}`

/** Rows of a run still to be written, from the contact after `after`. */
export const pendingItems = (
  db: Queryable,
  userId: number,
  id: number,
  after: number,
  limit: number,
) => rowsOf<ItemRow>(db)`
  SELECT * FROM outreach_items
  WHERE user_id = ${userId} AND batch_id = ${id}
    AND state = 'pending' AND contact_id > ${after} ORDER BY contact_id LIMIT ${limit}`

/** Locks the rows that are still to be written; another worker may have been faster. */
export async function lockPending(tx: Tx, userId: number, batchId: number, contactIds: readonly number[]) {
  if (contactIds.length === 0) return new Set<number>()
  return new Set(
    await idsOf(tx)`
    SELECT contact_id AS id FROM outreach_items
    WHERE user_id = ${userId} AND batch_id = ${batchId} AND state = 'pending'
      AND contact_id = ANY(${[...contactIds]}::bigint[]) AND contact_id ${between(contactIds)}
    FOR UPDATE SKIP LOCKED`,
  )
}

/**
 * Rows of a run are written in order, so those of a chunk are contiguous. The bounds keep a planner without
 * statistics on the run, which expects one row, from reading all of them.
 */
function between(contactIds: readonly number[]) {
  return sql`BETWEEN ${Math.min(...contactIds)} AND ${Math.max(...contactIds)}`
}

export type ItemChange = Pick<ItemRow, 'contact_id' | 'state' | 'reason' | 'email_id' | 'templated'> & {
  /** Where the mail goes; null: the row's address stays. */
  address: string | null
}

export async function changeItems(tx: Tx, userId: number, batchId: number, changes: readonly ItemChange[]) {
  if (changes.length === 0) return
  const ids = changes.map((change) => change.contact_id)
  const c = <T>(pick: (change: ItemChange) => T) => changes.map(pick)
  await execute(tx)`
    UPDATE outreach_items i SET state = n.state, reason = n.reason, email_id = n.email_id, templated = n.templated,
      address = coalesce(n.address, i.address)
    FROM unnest(${ids}::bigint[], ${c((x) => x.state)}::text[], ${c((x) => x.reason)}::text[],
      ${c((x) => x.email_id)}::bigint[], ${c((x) => x.templated)}::boolean[],
      ${c((x) => x.address)}::text[]) AS n(contact_id, state, reason, email_id, templated, address)
    WHERE i.user_id = ${userId} AND i.batch_id = ${batchId} AND i.contact_id = n.contact_id
      AND i.contact_id ${between(ids)}`
}

/** Marks everything not yet written as skipped, with this reason. */
export const skipPending = (tx: Tx, userId: number, batchId: number, reason: string) => execute(tx)`
  UPDATE outreach_items SET state = 'skipped', reason = ${reason}
  WHERE user_id = ${userId} AND batch_id = ${batchId} AND state = 'pending'`

/** Mails that were taken back, and are to be written again. */
export const writeAgain = (tx: Tx, { user_id, id }: BatchRow, emailIds: readonly number[]) => execute(tx)`
  UPDATE outreach_items SET state = 'pending', reason = NULL, email_id = NULL, templated = false
  WHERE user_id = ${user_id} AND batch_id = ${id} AND email_id = ANY(${[...emailIds]}::bigint[])`

/** A contact of a run of any user. */
export type ItemKey = { userId: number; batchId: number; contactId: number }

/** Rows of all runs of all users that are still to be written, after one of them; for asking elsewhere. */
export const pendingItemsAfter = (db: Queryable, after: ItemKey, limit: number) => rowsOf<ItemKey>(db)`
  SELECT user_id AS "userId", batch_id AS "batchId", contact_id AS "contactId" FROM outreach_items
  WHERE (user_id, batch_id, contact_id) > (${after.userId}, ${after.batchId}, ${after.contactId}) AND state = 'pending'
  ORDER BY user_id, batch_id, contact_id LIMIT ${limit}`

const those = (items: readonly ItemKey[]) => sql`unnest(${items.map(({ userId }) => userId)}::bigint[],
  ${items.map(({ batchId }) => batchId)}::bigint[], ${items.map(({ contactId }) => contactId)}::bigint[])`

/** Those of these contacts whose mail has left, or may have, according to a database. */
export const mailedItems = (db: Queryable, items: readonly ItemKey[]) => rowsOf<ItemKey>(db)`
  SELECT i.user_id AS "userId", i.batch_id AS "batchId", i.contact_id AS "contactId"
  FROM ${those(items)} AS asked(user_id, batch_id, contact_id)
  JOIN outreach_items i USING (user_id, batch_id, contact_id)
  LEFT JOIN deliveries d ON d.user_id = i.user_id AND d.email_id = i.email_id
  WHERE i.state = 'written' AND coalesce(d.state, 'sent') IN ('sent', 'committed', 'unsure')`

/** Skips these contacts where they are still to be written. Returns how many. */
export const skipItems = (tx: Tx, items: readonly ItemKey[], reason: string) => execute(tx)`
  UPDATE outreach_items i SET state = 'skipped', reason = ${reason}
  FROM ${those(items)} AS k(user_id, batch_id, contact_id)
  WHERE i.user_id = k.user_id AND i.batch_id = k.batch_id AND i.contact_id = k.contact_id AND i.state = 'pending'`

/** Mails that were taken back: their rows are skipped, with this reason. */
export const skipWithdrawn = (
  tx: Tx,
  userId: number,
  batchId: number,
  emailIds: readonly number[],
  reason: string,
) => execute(tx)`
  UPDATE outreach_items SET state = 'skipped', reason = ${reason}, email_id = NULL
  WHERE user_id = ${userId} AND batch_id = ${batchId} AND email_id = ANY(${[...emailIds]}::bigint[])`

export async function countItems(db: Queryable, userId: number, batchId: number) {
  const rows = await rowsOf<{ state: ItemRow['state']; count: number }>(db)`
    SELECT state, count(*) AS count FROM outreach_items WHERE user_id = ${userId} AND batch_id = ${batchId} GROUP BY state`
  const counts = { pending: 0, written: 0, skipped: 0, error: 0 }
  for (const row of rows) counts[row.state] = row.count
  return counts
}

/** How many were skipped, by reason. */
export async function countSkipped(db: Queryable, userId: number, batchId: number) {
  const rows = await rowsOf<{ reason: string; count: number }>(db)`
    SELECT coalesce(reason, '') AS reason, count(*) AS count FROM outreach_items
    WHERE user_id = ${userId} AND batch_id = ${batchId} AND state = 'skipped' GROUP BY 1`
  return new Map(rows.map((row) => [row.reason, row.count]))
}

export const listItems = (
  db: Queryable,
  userId: number,
  id: number,
  limit: number,
  offset: number,
) => rowsOf<ItemRow>(db)`
  SELECT * FROM outreach_items
  WHERE user_id = ${userId} AND batch_id = ${id} ORDER BY contact_id LIMIT ${limit} OFFSET ${offset}`

/** Whether a run is still to write to a contact. */
export const hasPendingItem = (db: Queryable, userId: number, id: number, contactId: number) => hasRows(db)`
  SELECT FROM outreach_items
  WHERE user_id = ${userId} AND batch_id = ${id} AND contact_id = ${contactId} AND state = 'pending'`
