import { type Selectable, sql } from 'kysely'
import { insertNewRows } from '../../platform/database/insert-rows.ts'
import type { OutreachBatchesTable, OutreachItemsTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'

export type BatchRow = Selectable<OutreachBatchesTable>
export type ItemRow = Selectable<OutreachItemsTable>

/** The current run, if there is one. */
export async function activeBatch(db: Queryable, userId: number): Promise<BatchRow | undefined> {
  return db
    .selectFrom('outreach_batches')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', ['running', 'paused'])
    .executeTakeFirst()
}

export async function newestBatch(db: Queryable, userId: number): Promise<BatchRow | undefined> {
  return db
    .selectFrom('outreach_batches')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export async function findBatch(db: Queryable, userId: number, id: number): Promise<BatchRow | undefined> {
  return db
    .selectFrom('outreach_batches')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * @throws a unique violation of outreach_one_at_a_time while another run is in progress
 */
export async function addBatch(
  tx: Tx,
  batch: Pick<BatchRow, 'user_id' | 'mailbox_id' | 'total' | 'started_at'> &
    Partial<
      Pick<
        BatchRow,
        'ai_use_id' | 'brief_version' | 'template' | 'audience' | 'audience_name' | 'write_again'
      >
    >,
): Promise<BatchRow> {
  return tx
    .insertInto('outreach_batches')
    .values({
      ai_use_id: null,
      brief_version: null,
      audience_name: null,
      ...batch,
      audience: batch.audience == null ? null : sql`${JSON.stringify(batch.audience)}::jsonb`,
      template: batch.template == null ? null : sql`${JSON.stringify(batch.template)}::jsonb`,
      state: 'running',
      driver_id: null,
      error: null,
      finished_at: null,
      waits_for: null,
      look_again_at: null,
      settled_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Notes the AI request that a run counts on from now on. */
export async function noteAiUse(tx: Tx, userId: number, id: number, useId: number): Promise<void> {
  await tx
    .updateTable('outreach_batches')
    .set({ ai_use_id: useId })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Moves a run from one of the states `from` to another; undefined when it was in none of them. */
export async function moveBatch(
  db: Queryable,
  userId: number,
  id: number,
  from: readonly BatchRow['state'][],
  change: { state: BatchRow['state']; finished_at?: Date; error?: string },
): Promise<BatchRow | undefined> {
  return db
    .updateTable('outreach_batches')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returningAll()
    .executeTakeFirst()
}

/**
 * True while a run is running; it then stays so until the transaction ends. Call this before writing anything for the
 * run: a pause or a cancel must either see all of it or come first.
 */
export async function keepRunning(tx: Tx, userId: number, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('outreach_batches')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Becomes the driver of a run; false when another live worker is. */
export async function becomeDriver(
  db: Queryable,
  userId: number,
  id: number,
  workerId: string,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE outreach_batches SET driver_id = ${workerId}
    WHERE user_id = ${userId} AND id = ${id} AND state = 'running' AND NOT mail_is_paused(user_id)
      AND (driver_id IS NULL OR driver_id = ${workerId} OR driver_id NOT IN (SELECT id FROM workers))
    RETURNING 1`.execute(db)
  return rows.length === 1
}

/** The user's runs that are done and of which mails may still leave. */
export async function unsettledRuns(db: Queryable, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('outreach_batches')
    .select('id')
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .where('state', '=', 'done')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Pauses the running runs of one user, or of all; returns which. Their mails are the caller's to hold. */
export async function pauseAllRuns(
  tx: Tx,
  userId: number | null = null,
): Promise<{ userId: number; batchId: number }[]> {
  const isTheirs = userId === null ? sql`true` : sql`user_id = ${userId}`
  const { rows } = await sql<{ userId: number; batchId: number }>`
    UPDATE outreach_batches SET state = 'paused' WHERE state = 'running' AND ${isTheirs}
    RETURNING user_id AS "userId", id AS "batchId"`.execute(tx)
  return rows
}

export async function stopDriving(
  db: Queryable,
  userId: number,
  id: number,
  workerId: string,
): Promise<void> {
  await sql`UPDATE outreach_batches SET driver_id = NULL
    WHERE user_id = ${userId} AND id = ${id} AND driver_id = ${workerId}`.execute(db)
}

/** Notes what a run waits for, and when it looks again; null: it goes on. */
export async function noteWaiting(
  tx: Tx,
  userId: number,
  id: number,
  waitsFor: BatchRow['waits_for'],
  lookAgainAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('outreach_batches')
    .set({ waits_for: waitsFor, look_again_at: lookAgainAt })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Running runs that, according to the table, no other worker is driving. Those that wait are left alone until they look again. */
export async function runsWithoutDriver(
  db: Queryable,
  workerId: string,
  now: Date,
): Promise<{ userId: number; batchId: number }[]> {
  const { rows } = await sql<{ userId: number; batchId: number }>`
    SELECT user_id AS "userId", id AS "batchId" FROM outreach_batches
    WHERE state = 'running' AND NOT mail_is_paused(user_id) AND (look_again_at IS NULL OR look_again_at <= ${now})
      AND (driver_id IS NULL OR driver_id = ${workerId} OR driver_id NOT IN (SELECT id FROM workers))`.execute(
    db,
  )
  return rows
}

/** Notes that every contact of a run has its row. Ids of an audience are no longer needed then: the rows have them. */
export async function noteListed(tx: Tx, userId: number, id: number, total: number): Promise<void> {
  await tx
    .updateTable('outreach_batches')
    .set({
      is_listed: true,
      total,
      audience: sql`CASE WHEN audience ? 'contact_ids' THEN '{"contact_ids": []}' ELSE audience END`,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

export async function addTokens(tx: Tx, userId: number, id: number, tokens: number): Promise<void> {
  await sql`UPDATE outreach_batches SET tokens_used = tokens_used + ${tokens} WHERE user_id = ${userId} AND id = ${id}`.execute(
    tx,
  )
}

/** Adds a run's rows; existing ones stay as they are. */
export async function addItems(
  tx: Tx,
  items: readonly Omit<ItemRow, 'email_id' | 'templated'>[],
): Promise<void> {
  await insertNewRows(tx, 'outreach_items', items)
}

/** The last contact for which a run's row exists. */
export async function lastListed(db: Queryable, userId: number, batchId: number): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(contact_id) AS last FROM outreach_items WHERE user_id = ${userId} AND batch_id = ${batchId}`.execute(
    db,
  )
  return rows[0]?.last ?? 0
}

/** Rows of a run still to be written, from the contact after `after`. */
export async function pendingItems(
  db: Queryable,
  userId: number,
  batchId: number,
  after: number,
  limit: number,
): Promise<ItemRow[]> {
  return db
    .selectFrom('outreach_items')
    .selectAll()
    .where('user_id', '=', userId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'pending')
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(limit)
    .execute()
}

/** Locks the rows that are still to be written; another worker may have been faster. */
export async function lockPending(
  tx: Tx,
  userId: number,
  batchId: number,
  contactIds: readonly number[],
): Promise<Set<number>> {
  if (contactIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    SELECT contact_id AS id FROM outreach_items
    WHERE user_id = ${userId} AND batch_id = ${batchId} AND state = 'pending'
      AND contact_id = ANY(${[...contactIds]}::bigint[]) AND contact_id ${between(contactIds)}
    FOR UPDATE SKIP LOCKED`.execute(tx)
  return new Set(rows.map((row) => row.id))
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

export async function changeItems(
  tx: Tx,
  userId: number,
  batchId: number,
  changes: readonly ItemChange[],
): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map((change) => change.contact_id)
  const c = <T>(pick: (change: ItemChange) => T) => changes.map(pick)
  await sql`
    UPDATE outreach_items i SET state = n.state, reason = n.reason, email_id = n.email_id, templated = n.templated,
      address = coalesce(n.address, i.address)
    FROM unnest(${ids}::bigint[], ${c((x) => x.state)}::text[], ${c((x) => x.reason)}::text[],
      ${c((x) => x.email_id)}::bigint[], ${c((x) => x.templated)}::boolean[],
      ${c((x) => x.address)}::text[]) AS n(contact_id, state, reason, email_id, templated, address)
    WHERE i.user_id = ${userId} AND i.batch_id = ${batchId} AND i.contact_id = n.contact_id
      AND i.contact_id ${between(ids)}`.execute(tx)
}

/** Marks everything not yet written as skipped, with this reason. */
export async function skipPending(tx: Tx, userId: number, batchId: number, reason: string): Promise<void> {
  await tx
    .updateTable('outreach_items')
    .set({ state: 'skipped', reason })
    .where('user_id', '=', userId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'pending')
    .execute()
}

/** A contact of a run, whoever's it is. */
export type ItemKey = { userId: number; batchId: number; contactId: number }

/** Rows of all runs of all users that are still to be written, after one of them; for asking elsewhere. */
export async function pendingItemsAfter(db: Queryable, after: ItemKey, limit: number): Promise<ItemKey[]> {
  const { rows } = await sql<ItemKey>`
    SELECT user_id AS "userId", batch_id AS "batchId", contact_id AS "contactId" FROM outreach_items
    WHERE (user_id, batch_id, contact_id) > (${after.userId}, ${after.batchId}, ${after.contactId}) AND state = 'pending'
    ORDER BY user_id, batch_id, contact_id LIMIT ${limit}`.execute(db)
  return rows
}

/** Those of these contacts whose mail has left, or may have, according to a database. */
export async function mailedItems(db: Queryable, items: readonly ItemKey[]): Promise<ItemKey[]> {
  const { rows } = await sql<ItemKey>`
    SELECT i.user_id AS "userId", i.batch_id AS "batchId", i.contact_id AS "contactId"
    FROM unnest(${items.map(({ userId }) => userId)}::bigint[], ${items.map(({ batchId }) => batchId)}::bigint[],
      ${items.map(({ contactId }) => contactId)}::bigint[]) AS asked(user_id, batch_id, contact_id)
    JOIN outreach_items i USING (user_id, batch_id, contact_id)
    LEFT JOIN deliveries d ON d.user_id = i.user_id AND d.email_id = i.email_id
    WHERE i.state = 'written' AND coalesce(d.state, 'sent') IN ('sent', 'committed', 'unsure')`.execute(db)
  return rows
}

/** Skips these contacts where they are still to be written. Returns how many. */
export async function skipItems(tx: Tx, items: readonly ItemKey[], reason: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE outreach_items i SET state = 'skipped', reason = ${reason}
    FROM unnest(${items.map(({ userId }) => userId)}::bigint[], ${items.map(({ batchId }) => batchId)}::bigint[],
      ${items.map(({ contactId }) => contactId)}::bigint[]) AS k(user_id, batch_id, contact_id)
    WHERE i.user_id = k.user_id AND i.batch_id = k.batch_id AND i.contact_id = k.contact_id AND i.state = 'pending'`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Mails that were taken back: their rows are skipped, with this reason. */
export async function skipWithdrawn(
  tx: Tx,
  userId: number,
  batchId: number,
  emailIds: readonly number[],
  reason: string,
): Promise<void> {
  await sql`
    UPDATE outreach_items SET state = 'skipped', reason = ${reason}, email_id = NULL
    WHERE user_id = ${userId} AND batch_id = ${batchId} AND email_id = ANY(${[...emailIds]}::bigint[])`.execute(
    tx,
  )
}

export async function countItems(
  db: Queryable,
  userId: number,
  batchId: number,
): Promise<Record<ItemRow['state'], number>> {
  const { rows } = await sql<{ state: ItemRow['state']; count: number }>`
    SELECT state, count(*) AS count FROM outreach_items WHERE user_id = ${userId} AND batch_id = ${batchId} GROUP BY state`.execute(
    db,
  )
  const counts = { pending: 0, written: 0, skipped: 0, error: 0 }
  for (const row of rows) counts[row.state] = row.count
  return counts
}

/** How many were skipped, by reason. */
export async function countSkipped(
  db: Queryable,
  userId: number,
  batchId: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ reason: string; count: number }>`
    SELECT coalesce(reason, '') AS reason, count(*) AS count FROM outreach_items
    WHERE user_id = ${userId} AND batch_id = ${batchId} AND state = 'skipped' GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.reason, row.count]))
}

export async function listItems(
  db: Queryable,
  userId: number,
  batchId: number,
  limit: number,
  offset: number,
): Promise<ItemRow[]> {
  return db
    .selectFrom('outreach_items')
    .selectAll()
    .where('user_id', '=', userId)
    .where('batch_id', '=', batchId)
    .orderBy('contact_id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The run under way that is still to write to a contact, if there is one. */
export async function findPending(
  db: Queryable,
  userId: number,
  contactId: number,
): Promise<
  Pick<BatchRow, 'id' | 'state' | 'mailbox_id' | 'audience' | 'write_again' | 'started_at'> | undefined
> {
  return db
    .selectFrom('outreach_batches as b')
    .innerJoin('outreach_items as i', (join) =>
      join.onRef('i.user_id', '=', 'b.user_id').onRef('i.batch_id', '=', 'b.id'),
    )
    .select(['b.id', 'b.state', 'b.mailbox_id', 'b.audience', 'b.write_again', 'b.started_at'])
    .where('b.user_id', '=', userId)
    .where('b.state', 'in', ['running', 'paused'])
    .where('i.contact_id', '=', contactId)
    .where('i.state', '=', 'pending')
    .executeTakeFirst()
}
