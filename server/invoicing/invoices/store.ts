import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { InvoiceStatus } from '#contract/invoicing/saved-invoices.ts'
import type { InvoicePaymentsTable, InvoicesTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, hasRows, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type StoredInvoice = Selectable<InvoicesTable>
/** A document with its status on a day. */
export type InvoiceRecord = StoredInvoice & { status: InvoiceStatus }
/** What is written into a new document. */
export type NewInvoice = Omit<
  Insertable<InvoicesTable>,
  'user_id' | 'id' | 'version' | 'created_at' | 'updated_at'
>
export type PaymentRow = Selectable<InvoicePaymentsTable>

/** Phases in which an invoice waits for money. */
const OPEN = sql`('issued', 'sent', 'viewed', 'part_paid')`
/** True for invoices that wait for money. */
export const isOpen = sql`(i.kind = 'invoice' AND i.phase IN ${OPEN})`
/** True for those whose due date is before a calendar day. */
export const isOverdue = (today: string) => sql`(${isOpen} AND i.due_date < ${today})`
/** True for quotes that nobody answered before a calendar day, which was their last. */
export const isExpired = (today: string) =>
  sql`(i.kind = 'quote' AND i.phase IN ('issued', 'sent', 'viewed') AND i.due_date < ${today})`
/** The status on a calendar day: the one place that derives it. */
export const statusOn = (today: string): RawBuilder<InvoiceStatus> =>
  sql<InvoiceStatus>`CASE WHEN ${isOverdue(today)} THEN 'overdue' WHEN ${isExpired(today)} THEN 'expired'
    ELSE i.phase END`

/** One document that is not deleted, with its status on this day; undefined when there is none. */
export async function findInvoice(db: Queryable, userId: number, id: number, today: string) {
  return rowOf<InvoiceRecord>(db)`
    SELECT i.*, ${statusOn(today)} AS status FROM invoices i
    WHERE i.user_id = ${userId} AND i.id = ${id} AND i.deleted_at IS NULL`
}

/** The same document, locked until the transaction ends. */
export async function lockInvoice(tx: Tx, userId: number, id: number) {
  return rowOf<StoredInvoice>(tx)`
    SELECT * FROM invoices WHERE user_id = ${userId} AND id = ${id} AND deleted_at IS NULL FOR UPDATE`
}

/** Returns its id. */
export async function insertInvoice(db: Queryable, userId: number, invoice: NewInvoice, now: Date) {
  const { id } = await db
    .insertInto('invoices')
    .values({ ...invoice, user_id: userId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a document and counts its version up. @throws a unique violation when its number is taken */
export async function changeInvoice(
  db: Queryable,
  userId: number,
  id: number,
  changes: Updateable<InvoicesTable>,
  now: Date,
): Promise<void> {
  // The worker writes the words of another text again.
  const words = sql<string | null>`CASE WHEN search = ${changes.search} THEN words END`
  await db
    .updateTable('invoices')
    .set({
      ...changes,
      ...(changes.search === undefined ? {} : { words }),
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Credit notes of an invoice, the oldest first. */
export async function creditNotesOf(db: Queryable, userId: number, invoiceId: number) {
  return rowsOf<{ id: number; number: string | null; status: InvoiceStatus; total: number }>(db)`
    SELECT id, number, phase AS status, total FROM invoices
    WHERE user_id = ${userId} AND credits_id = ${invoiceId} AND deleted_at IS NULL ORDER BY id`
}

/** The invoice that was made from a quote; a deleted draft does not count. */
export async function invoiceOfQuote(db: Queryable, userId: number, quoteId: number, today: string) {
  return rowOf<{ id: number; number: string | null; status: InvoiceStatus }>(db)`
    SELECT i.id, i.number, ${statusOn(today)} AS status FROM invoices i
    WHERE i.user_id = ${userId} AND i.quote_id = ${quoteId} AND i.deleted_at IS NULL`
}

export async function isNumberTaken(db: Queryable, userId: number, number: string) {
  return hasRows(db)`SELECT FROM invoices WHERE user_id = ${userId} AND number = ${number}`
}

/**
 * Takes a deleted draft back; false when there is none.
 *
 * @throws a unique violation when another invoice has been made from its quote since
 */
export async function undeleteInvoice(db: Queryable, userId: number, id: number, now: Date) {
  return hasRows(db)`
    UPDATE invoices SET deleted_at = NULL, updated_at = ${now}
    WHERE user_id = ${userId} AND id = ${id} AND deleted_at IS NOT NULL RETURNING id`
}

/** Removes up to `limit` drafts that were deleted before an instant; returns how many. */
export async function forgetDeleted(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db)`
    DELETE FROM invoices WHERE (user_id, id) IN (
      SELECT user_id, id FROM invoices WHERE deleted_at < ${before} ORDER BY deleted_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)`
}

/** Notes when the first mail with an issued document left; null: none has, after all. */
export async function noteSent(tx: Tx, userId: number, id: number, sentAt: Date | null, now: Date) {
  const row = await lockInvoice(tx, userId, id)
  if (row === undefined || row.issued_at === null) return
  if (sentAt !== null && row.sent_at !== null && row.sent_at <= sentAt) return
  await changeInvoice(tx, userId, id, { sent_at: sentAt }, now)
}

/** Notes that the customer has looked at an issued document. True for the first time. */
export async function noteViewed(tx: Tx, userId: number, id: number, now: Date): Promise<boolean> {
  const row = await lockInvoice(tx, userId, id)
  if (row === undefined || row.issued_at === null || row.viewed_at !== null) return false
  await changeInvoice(tx, userId, id, { viewed_at: now }, now)
  return true
}

/** Payments of an invoice, the newest first. */
export async function paymentsOf(db: Queryable, userId: number, invoiceId: number): Promise<PaymentRow[]> {
  return db
    .selectFrom('invoice_payments')
    .selectAll()
    .where('user_id', '=', userId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('paid_on', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function insertPayment(
  db: Queryable,
  userId: number,
  payment: Pick<PaymentRow, 'invoice_id' | 'amount' | 'paid_on' | 'note'>,
  now: Date,
): Promise<void> {
  await db
    .insertInto('invoice_payments')
    .values({ ...payment, user_id: userId, created_at: now })
    .execute()
}

/** False when this invoice has no such payment. */
export async function deletePayment(db: Queryable, userId: number, invoiceId: number, id: number) {
  return hasRows(db)`
    DELETE FROM invoice_payments WHERE user_id = ${userId} AND invoice_id = ${invoiceId} AND id = ${id} RETURNING id`
}

/** What the payments of an invoice come to, and how many there are. */
export async function sumPayments(db: Queryable, userId: number, invoiceId: number) {
  return onlyRowOf<{ paid: number; payments: number }>(db)`
    SELECT coalesce(sum(amount), 0)::bigint AS paid, count(*) AS payments FROM invoice_payments
    WHERE user_id = ${userId} AND invoice_id = ${invoiceId}`
}
