import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { InvoiceLinksTable, InvoiceMailsTable } from './tables.ts'
import { changeRow, removeRow, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type InvoiceMailRow = Selectable<InvoiceMailsTable>
export type InvoiceLinkRow = Selectable<InvoiceLinksTable>

/** Mails about one document. */
export const MAILS_MAX = 200

/** Mails about a document, the newest first. */
export async function mailsOf(db: Queryable, userId: number, invoiceId: number, limit: number) {
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

export const changeMail = (
  db: Queryable,
  { user_id, id }: Pick<InvoiceMailRow, 'user_id' | 'id'>,
  changes: Updateable<InvoiceMailsTable>,
) => changeRow(db, 'invoice_mails', user_id, id, changes)

export const removeMail = (tx: Tx, { user_id, id }: Pick<InvoiceMailRow, 'user_id' | 'id'>) =>
  removeRow(tx, 'invoice_mails', user_id, id)

/** Where a page of mails begins: after this one, in the order of their making. */
export type MailPlace = Pick<InvoiceMailRow, 'created_at' | 'user_id' | 'id'>
const BEFORE_ALL: MailPlace = { created_at: new Date(0), user_id: 0, id: 0 }

/**
 * Mails of which it is not known yet what became of them, those asked for since an instant; with `old` also refused and
 * withdrawn ones, which may have been sent by hand, and all of practice.
 */
export async function unsettledMails(
  db: Queryable,
  { since, old }: { since: Date; old: boolean },
  after: MailPlace = BEFORE_ALL,
  limit = 500,
) {
  const waiting = sql`(state = 'waiting' AND created_at >= ${since})`
  // Each part has an index.
  const which = old
    ? sql`(${waiting} OR (state IN ('failed', 'withdrawn') AND created_at >= ${since}) OR is_practice)`
    : waiting
  return rowsOf<InvoiceMailRow>(db)`
    SELECT * FROM invoice_mails
    WHERE ${which}
      AND (created_at, user_id, id) > (${after.created_at}, ${after.user_id}, ${after.id})
    ORDER BY created_at, user_id, id LIMIT ${limit}`
}

/** When the first mail with the document left; null if none has. */
export async function firstSentAt(db: Queryable, userId: number, invoiceId: number): Promise<Date | null> {
  const row = await rowOf<{ at: Date | null }>(db)`
    SELECT min(settled_at) AS at FROM invoice_mails
    WHERE user_id = ${userId} AND invoice_id = ${invoiceId} AND state = 'sent'`
  return row?.at ?? null
}

/** Who got a document. */
export type InvoiceRecipients = { to: string; cc: string }

/** Who got the newest mail with each of these documents that has left, by the document's id. Practice does not count. */
export async function sentTo(
  db: Queryable,
  userId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, InvoiceRecipients>> {
  const { rows } = await sql<InvoiceRecipients & { id: number }>`
    SELECT DISTINCT ON (invoice_id) invoice_id AS id, to_line AS "to", cc_line AS cc FROM invoice_mails
    WHERE user_id = ${userId} AND invoice_id = ANY(${[...invoiceIds]}::bigint[])
      AND kind = 'document' AND state = 'sent' AND NOT is_practice
    ORDER BY invoice_id, invoice_mails.id DESC`.execute(db)
  return new Map(rows.map(({ id, to, cc }) => [id, { to, cc }]))
}

/** What is known of the links of these documents, but for those that are as they were at first. */
export async function findLinks(db: Queryable, userId: number, invoiceIds: readonly number[]) {
  return rowsOf<InvoiceLinkRow>(db)`
    SELECT * FROM invoice_links
    WHERE user_id = ${userId} AND invoice_id = ANY(${[...invoiceIds]}::bigint[])`
}

/** What is known of a document's link; undefined while it is as it was at first. */
export async function findLink(
  db: Queryable,
  userId: number,
  invoiceId: number,
): Promise<InvoiceLinkRow | undefined> {
  return (await findLinks(db, userId, [invoiceId]))[0]
}

/** Turns a link off, or on again. */
export async function switchLink(db: Queryable, userId: number, invoiceId: number, offAt: Date | null) {
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

/**
 * Takes back the links of all documents that were ever issued; what turns one on again is a new link.
 *
 * @returns how many led to a document until now
 */
export async function takeBackLinks(tx: Tx, userId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ was_on: boolean }>`
    WITH before AS (
      SELECT i.user_id, i.id, l.off_at IS NULL AS was_on, coalesce(l.version, 1) AS version FROM invoices i
      LEFT JOIN invoice_links l ON l.user_id = i.user_id AND l.invoice_id = i.id
      WHERE i.user_id = ${userId} AND i.issued_at IS NOT NULL
    ), taken AS (
      INSERT INTO invoice_links (user_id, invoice_id, version, off_at)
      SELECT user_id, id, version + 1, ${now}::timestamptz FROM before
      ON CONFLICT (user_id, invoice_id) DO UPDATE SET version = excluded.version, off_at = excluded.off_at
    )
    SELECT was_on FROM before WHERE was_on`.execute(tx)
  return rows.length
}
