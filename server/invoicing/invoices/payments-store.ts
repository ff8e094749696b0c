import { sql } from 'kysely'
import type { PaymentRow } from './store.ts'
import type { Queryable } from '../../platform/database/handles.ts'

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
export async function deletePayment(
  db: Queryable,
  userId: number,
  invoiceId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invoice_payments')
    .where('user_id', '=', userId)
    .where('invoice_id', '=', invoiceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What the payments of an invoice come to, and how many there are. */
export async function sumPayments(
  db: Queryable,
  userId: number,
  invoiceId: number,
): Promise<{ paid: number; payments: number }> {
  const { rows } = await sql<{ paid: number; payments: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS paid, count(*) AS payments FROM invoice_payments
    WHERE user_id = ${userId} AND invoice_id = ${invoiceId}`.execute(db)
  return rows[0] ?? { paid: 0, payments: 0 }
}
