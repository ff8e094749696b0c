import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import type { DeliveryState, EmailBodiesTable, EmailsTable, CompositionsTable } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { idsOf, rowOf, rowsOf } from '../../../platform/database/rows.ts'

export type EmailRow = Selectable<EmailsTable>
export type EmailBodyRow = Selectable<EmailBodiesTable>
/** The body of a mail that Howl writes: there is no raw mail yet. */
export type NewBodyRow = Omit<Insertable<EmailBodiesTable>, 'raw' | 'raw_key'>
export type NewEmailRow = Insertable<EmailsTable> & { id: number }

/** What a list shows of a mail: its row, its delivery state, its contact. */
export type ListedEmail = EmailRow & {
  contact_id: number | null
  contact_name: string | null
  delivery_state: DeliveryState | null
  delivery_reason: string | null
  delivery_next_try_at: Date | null
  collapsed: number
}

/** Takes `count` ids for new mails; an id that is not used only leaves a gap. */
export async function takeEmailIds(db: Queryable, count: number): Promise<number[]> {
  return idsOf(db)`
    SELECT nextval(s.name) AS id FROM (SELECT pg_get_serial_sequence('emails', 'id')::regclass AS name OFFSET 0) s,
      generate_series(1, ${count}::int)`
}

/** Adds mails that Howl writes, with their bodies. */
export async function addEmails(
  tx: Tx,
  rows: readonly NewEmailRow[],
  bodies: readonly NewBodyRow[],
): Promise<void> {
  await insertRows(tx, 'emails', rows)
  await insertRows(tx, 'email_bodies', bodies)
}

/** A query for mails with what a list shows of them. */
export const listed = (db: Queryable) =>
  db
    .selectFrom('emails')
    .leftJoin('contacts', (join) =>
      join
        .onRef('contacts.user_id', '=', 'emails.user_id')
        .onRef('contacts.email_key', '=', 'emails.correspondent_key'),
    )
    .leftJoin('deliveries', (join) =>
      join.onRef('deliveries.user_id', '=', 'emails.user_id').onRef('deliveries.email_id', '=', 'emails.id'),
    )
    .selectAll('emails')
    .select([
      'contacts.id as contact_id',
      'contacts.name as contact_name',
      'deliveries.state as delivery_state',
      'deliveries.reason as delivery_reason',
      'deliveries.next_try_at as delivery_next_try_at',
      sql<number>`1`.as('collapsed'),
    ])

/** One mail that this user may see; deleted ones are hidden. */
export async function findListed(
  db: Queryable,
  userId: number,
  id: number,
): Promise<ListedEmail | undefined> {
  return listed(db)
    .where('emails.user_id', '=', userId)
    .where('emails.id', '=', id)
    .where('emails.folder', '!=', 'deleted')
    .executeTakeFirst()
}

/** A mail's body as its row has it; use `readBody` to show it, which also finds HTML in the raw mail. */
export async function findBodyRow(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<EmailBodyRow | undefined> {
  return rowOf<EmailBodyRow>(db)`
    SELECT * FROM email_bodies WHERE user_id = ${userId} AND email_id = ${emailId}`
}

/** The user's mails with these Message-IDs, newest first. */
export async function findByMessageIds(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
): Promise<EmailRow[]> {
  if (messageIds.length === 0) return []
  return rowsOf<EmailRow>(db)`
    SELECT * FROM emails WHERE user_id = ${userId} AND message_id = ANY(${[...messageIds]}::text[])
    ORDER BY occurred_at DESC LIMIT 100`
}

/** Moves scheduled mails whose time has come to Sent; the caller adds their deliveries. */
export async function dueScheduled(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<(EmailRow & Pick<EmailBodyRow, 'cc_line' | 'bcc_line'>)[]> {
  // The mail carries the time at which it is sent, not the time at which it was written.
  return rowsOf<EmailRow & Pick<EmailBodyRow, 'cc_line' | 'bcc_line'>>(tx)`
    WITH due AS (
      SELECT user_id, id FROM emails
      WHERE folder = 'scheduled' AND schedule_at <= ${now} AND NOT mail_is_paused(user_id)
      ORDER BY schedule_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE emails e SET folder = 'sent', occurred_at = ${now}, created_at = ${now}
    FROM due JOIN email_bodies b ON b.user_id = due.user_id AND b.email_id = due.id
    WHERE e.user_id = due.user_id AND e.id = due.id
    RETURNING e.*, b.cc_line, b.bcc_line`
}

/** The sender and recipients of a sent mail, deleted or not, because its unsubscribe links live on. */
export async function findSender(
  db: Queryable,
  userId: number,
  id: number,
): Promise<Pick<EmailRow, 'to_line' | 'from_address' | 'correspondent_key'> | undefined> {
  return rowOf<Pick<EmailRow, 'to_line' | 'from_address' | 'correspondent_key'>>(db)`
    SELECT to_line, from_address, correspondent_key FROM emails
    WHERE user_id = ${userId} AND id = ${id} AND direction = 'out'`
}

/** Runs a `DELETE FROM emails n`. @returns the blobs that nothing refers to once this is committed */
export async function deleteMails(tx: Tx, deletion: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    WITH gone AS (${deletion} RETURNING n.user_id, n.id)
    SELECT b.raw_key AS key FROM gone JOIN email_bodies b ON b.user_id = gone.user_id AND b.email_id = gone.id
    WHERE b.raw_key IS NOT NULL`.execute(tx)
  return rows.map(({ key }) => key)
}

export type Composition = Selectable<CompositionsTable>

/** What is known of a mail that was written here besides its content; undefined if there is nothing. */
export async function findComposition(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<Composition | undefined> {
  return rowOf<Composition>(db)`
    SELECT * FROM compositions WHERE user_id = ${userId} AND email_id = ${emailId}`
}
