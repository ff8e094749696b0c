import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from '../database/handles.ts'
import type { InvoiceLinksTable, InvoiceMailsTable } from './tables.ts'

export type InvoiceMailRow = Selectable<InvoiceMailsTable>
export type InvoiceLinkRow = Selectable<InvoiceLinksTable>

/** Mails about one document. */
export const MAILS_MAX = 200

/** Mails about a document, the newest first. */
export async function mailsOf(
  db: Queryable,
  userId: number,
  invoiceId: number,
  limit: number,
): Promise<InvoiceMailRow[]> {
  return db
    .selectFrom('invoice_mails')
    .selectAll()
    .where('user_id', '=', userId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function addMail(tx: Tx, mail: Insertable<InvoiceMailsTable>): Promise<void> {
  await tx.insertInto('invoice_mails').values(mail).execute()
}

export async function changeMail(
  db: Queryable,
  { user_id, id }: Pick<InvoiceMailRow, 'user_id' | 'id'>,
  changes: Updateable<InvoiceMailsTable>,
): Promise<void> {
  await db
    .updateTable('invoice_mails')
    .set(changes)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute()
}

export async function removeMail(
  tx: Tx,
  { user_id, id }: Pick<InvoiceMailRow, 'user_id' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('invoice_mails').where('user_id', '=', user_id).where('id', '=', id).execute()
}

/** Mails of which it is not known yet what became of them. */
export async function waitingMails(db: Queryable, limit: number): Promise<InvoiceMailRow[]> {
  return db
    .selectFrom('invoice_mails')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('user_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Refused and withdrawn mails since an instant, which may have been sent by hand, and those of practice. */
export async function unsettledMails(db: Queryable, since: Date, limit: number): Promise<InvoiceMailRow[]> {
  const { rows } = await sql<InvoiceMailRow>`
    SELECT * FROM invoice_mails
    WHERE (state IN ('failed', 'withdrawn') OR is_practice) AND (is_practice OR created_at >= ${since})
    ORDER BY created_at DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** When the first mail with the document left; null if none has. */
export async function firstSentAt(db: Queryable, userId: number, invoiceId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(settled_at) AS at FROM invoice_mails
    WHERE user_id = ${userId} AND invoice_id = ${invoiceId} AND state = 'sent'`.execute(db)
  return rows[0]?.at ?? null
}

/** What is known of a document's link; undefined while it is as it was at first. */
export async function findLink(
  db: Queryable,
  userId: number,
  invoiceId: number,
): Promise<InvoiceLinkRow | undefined> {
  return db
    .selectFrom('invoice_links')
    .selectAll()
    .where('user_id', '=', userId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()
}

/** Turns a link off, or on again. */
export async function switchLink(
  db: Queryable,
  userId: number,
  invoiceId: number,
  offAt: Date | null,
): Promise<void> {
  await db
    .insertInto('invoice_links')
    .values({ user_id: userId, invoice_id: invoiceId, version: 1, off_at: offAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'invoice_id']).doUpdateSet({ off_at: offAt }))
    .execute()
}

/** Replaces a link by the next version, which is on. */
export async function renewLink(db: Queryable, userId: number, invoiceId: number): Promise<void> {
  await sql`
    INSERT INTO invoice_links AS l (user_id, invoice_id, version, off_at) VALUES (${userId}, ${invoiceId}, 2, NULL)
    ON CONFLICT (user_id, invoice_id) DO UPDATE SET version = l.version + 1, off_at = NULL`.execute(db)
}
