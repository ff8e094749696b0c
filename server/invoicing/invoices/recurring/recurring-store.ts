import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import type { RecurringInvoicesTable } from '../tables.ts'
import { changeRow, lockRow, numberOf, onlyRowOf, rowOf, rowsOf } from '../../../platform/database/rows.ts'

export type StoredRecurring = Selectable<RecurringInvoicesTable>
/** What is written into a new schedule. */
export type NewRecurring = Omit<
  Insertable<RecurringInvoicesTable>,
  'user_id' | 'id' | 'created_at' | 'updated_at'
>
/** A schedule as lists show it: without pictures, with the newest invoice that it made. */
export type ListedRecurring = StoredRecurring & {
  last_id: number | null
  last_number: string | null
  last_phase: string | null
  last_issue_date: string | null
}

const LISTED = sql`
  SELECT r.*, r.content #- '{seller,logo}' #- '{seller,signature}' #- '{buyer,signature}' AS content, last.id AS last_id, last.number AS last_number,
    last.phase AS last_phase, last.issue_date AS last_issue_date
  FROM recurring_invoices r LEFT JOIN LATERAL (
    SELECT i.id, coalesce(i.number, '') AS number, i.phase, i.issue_date FROM invoices i
    WHERE i.user_id = r.user_id AND i.recurring_id = r.id AND i.deleted_at IS NULL
    ORDER BY i.recurring_period DESC LIMIT 1) last ON true`

/** A page of the user's schedules: by their next date, those that have ended last. */
export async function listRecurring(
  db: Queryable,
  userId: number,
  { limit, offset }: { limit: number; offset: number },
) {
  return rowsOf<ListedRecurring>(db)`
    ${LISTED} WHERE r.user_id = ${userId} ORDER BY r.state = 'ended', r.next_on, r.id
    LIMIT ${limit} OFFSET ${offset}`
}

export async function findRecurring(db: Queryable, userId: number, id: number) {
  return rowOf<ListedRecurring>(db)`
    ${LISTED} WHERE r.user_id = ${userId} AND r.id = ${id}`
}

/** What a document says of the schedule that made it. */
export async function nameOfRecurring(db: Queryable, userId: number, id: number) {
  return db
    .selectFrom('recurring_invoices')
    .select(['id', 'every', 'customer'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** How many schedules there are, and how many of them have not ended. */
export async function countRecurring(db: Queryable, userId: number) {
  return onlyRowOf<{ all: number; going: number }>(db)`
    SELECT count(*) AS all, count(*) FILTER (WHERE state <> 'ended') AS going
    FROM recurring_invoices WHERE user_id = ${userId}`
}

/** One schedule, locked until the transaction ends. */
export const lockRecurring = (tx: Tx, userId: number, id: number) =>
  lockRow(tx, 'recurring_invoices', userId, id)

/** Returns its id. */
export async function insertRecurring(db: Queryable, userId: number, schedule: NewRecurring, now: Date) {
  const { id } = await db
    .insertInto('recurring_invoices')
    .values({ ...schedule, user_id: userId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const changeRecurring = (
  db: Queryable,
  userId: number,
  id: number,
  changes: Updateable<RecurringInvoicesTable>,
  now: Date,
) => changeRow(db, 'recurring_invoices', userId, id, { ...changes, updated_at: now })

/** The user's schedules that are due by a time, locked until the transaction ends. */
export async function lockDueBy(tx: Tx, userId: number, by: Date): Promise<StoredRecurring[]> {
  return tx
    .selectFrom('recurring_invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('due_at', '<=', by)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** How many of the user's schedules have an invoice due by a time. */
export async function countRecurringDueBy(db: Queryable, userId: number, by: Date) {
  return numberOf(db)`
    SELECT count(*)::int AS due FROM recurring_invoices WHERE user_id = ${userId} AND due_at <= ${by}`
}

export type DueRecurring = Pick<StoredRecurring, 'user_id' | 'id'>

/** Schedules whose next invoice is due, the longest due first; those of banned, deleted and paused users wait. */
export async function dueRecurring(db: Queryable, now: Date, limit: number) {
  return rowsOf<DueRecurring>(db)`
    SELECT r.user_id, r.id FROM recurring_invoices r JOIN users u ON u.id = r.user_id
    WHERE r.due_at <= ${now} AND u.is_active AND u.deleted_at IS NULL AND u.mail_paused_at IS NULL ORDER BY r.due_at LIMIT ${limit}`
}

/** Locks a schedule that is due; undefined when another worker has it, or has made its invoice meanwhile. */
export async function takeDue(tx: Tx, { user_id: userId, id }: DueRecurring, now: Date) {
  return tx
    .selectFrom('recurring_invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Pauses all schedules of the user that are going on. @returns how many */
export async function pauseAllRecurring(tx: Tx, userId: number, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('recurring_invoices')
    .set({ state: 'paused', due_at: null, updated_at: now })
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
