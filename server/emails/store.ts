import { type Insertable, type Selectable, sql } from 'kysely'
import type { Folder } from '#contract/emails.ts'
import type { Queryable, Tx } from '../database/connect.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { DeliveryState, EmailBodiesTable, EmailFolder, EmailsTable } from './tables.ts'

export type EmailRow = Selectable<EmailsTable>
export type EmailBodyRow = Selectable<EmailBodiesTable>
export type NewBodyRow = Insertable<EmailBodiesTable>
export type NewEmailRow = Insertable<EmailsTable> & { id: number }

/** What a list shows of a mail: its row, where its delivery stands, whose contact it is. */
export type ListedEmail = EmailRow & {
  contact_id: number | null
  delivery_state: DeliveryState | null
  delivery_reason: string | null
  delivery_next_try_at: Date | null
  collapsed: number
}

/** Takes `count` ids for new mails. */
export async function takeEmailIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('emails', 'id')) AS id FROM generate_series(1, ${count})`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

export async function addEmails(
  tx: Tx,
  rows: readonly NewEmailRow[],
  bodies: readonly NewBodyRow[],
): Promise<void> {
  await insertRows(tx, 'emails', rows)
  await insertRows(tx, 'email_bodies', bodies)
}

const listed = (db: Queryable) =>
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
      'deliveries.state as delivery_state',
      'deliveries.reason as delivery_reason',
      'deliveries.next_try_at as delivery_next_try_at',
      sql<number>`1`.as('collapsed'),
    ])

export type ListFilter = {
  folder: Folder
  filter?: string | undefined
  search?: string | undefined
  limit: number
  offset: number
}

/** A page of a folder, newest first. */
export async function listEmails(db: Queryable, userId: number, page: ListFilter): Promise<ListedEmail[]> {
  return narrowed(listed(db), userId, page)
    .orderBy('emails.occurred_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** How many mails of a folder the filter leaves. */
export async function countListed(db: Queryable, userId: number, page: ListFilter): Promise<number> {
  if ((page.filter === undefined || page.filter === 'all') && page.search === undefined)
    return folderTotal(db, userId, page.folder)
  const row = await narrowed(
    db.selectFrom('emails').select(sql<number>`count(*)`.as('total')),
    userId,
    page,
  ).executeTakeFirstOrThrow()
  return row.total
}

// eslint-disable-next-line typescript/no-explicit-any -- the same conditions on two queries that select different things
function narrowed<Q extends { where(...args: any[]): Q }>(
  query: Q,
  userId: number,
  { folder, filter, search }: ListFilter,
): Q {
  let next = query.where('emails.user_id', '=', userId).where('emails.folder', '=', folder)
  if (filter === 'starred') next = next.where('emails.is_starred', '=', true)
  if (filter === 'unread') next = next.where('emails.is_read', '=', false)
  if (filter === 'sent') next = next.where('emails.direction', '=', 'out')
  if (filter === 'received') next = next.where('emails.direction', '=', 'in')
  if (filter === 'attachments') next = next.where(sql`cardinality(emails.attachment_names)`, '>', 0)
  if (search !== undefined && search !== '') {
    const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    next = next.where(
      sql`(emails.subject ILIKE ${like} OR emails.from_name ILIKE ${like} OR emails.from_address ILIKE ${like} OR emails.to_line ILIKE ${like} OR emails.snippet ILIKE ${like})`,
    )
  }
  return next
}

async function folderTotal(db: Queryable, userId: number, folder: EmailFolder): Promise<number> {
  const row = await db
    .selectFrom('email_counts')
    .select('total')
    .where('user_id', '=', userId)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row?.total ?? 0
}

export async function folderCounts(
  db: Queryable,
  userId: number,
): Promise<{ folder: string; total: number; unread: number }[]> {
  return db
    .selectFrom('email_counts')
    .select(['folder', 'total', 'unread'])
    .where('user_id', '=', userId)
    .execute()
}

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

export async function findBody(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<EmailBodyRow | undefined> {
  return db
    .selectFrom('email_bodies')
    .selectAll()
    .where('user_id', '=', userId)
    .where('email_id', '=', emailId)
    .executeTakeFirst()
}

/** Marks a mail as read; false when there is no such mail. */
export async function markRead(db: Queryable, userId: number, id: number): Promise<boolean> {
  const row = await db
    .updateTable('emails')
    .set({ is_read: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('folder', '!=', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type FoundMail = Pick<
  EmailRow,
  'id' | 'thread_id' | 'direction' | 'subject' | 'message_id' | 'from_address' | 'correspondent_key'
>

/** The user's mail with one of these Message-IDs, the newest first. */
export async function findByMessageIds(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
): Promise<FoundMail[]> {
  if (messageIds.length === 0) return []
  return db
    .selectFrom('emails')
    .select(['id', 'thread_id', 'direction', 'subject', 'message_id', 'from_address', 'correspondent_key'])
    .where('user_id', '=', userId)
    .where('message_id', 'in', [...messageIds])
    .orderBy('occurred_at', 'desc')
    .limit(100)
    .execute()
}

/** A mail that was not taken becomes a draft again, and its delivery is forgotten. */
export async function turnIntoDraft(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom('deliveries').where('user_id', '=', userId).where('email_id', '=', id).execute()
  await tx
    .updateTable('emails')
    .set({ folder: 'drafts' })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Scheduled mails whose time has come, moved to Sent; their deliveries are added by the caller. */
export async function dueScheduled(tx: Tx, now: Date, limit: number): Promise<EmailRow[]> {
  const due = tx
    .selectFrom('emails')
    .select(['user_id', 'id'])
    .where('folder', '=', 'scheduled')
    .where('schedule_at', '<=', now)
    .orderBy('schedule_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return tx
    .with('due', () => due)
    .updateTable('emails')
    .from('due')
    .set({ folder: 'sent', occurred_at: now })
    .whereRef('emails.user_id', '=', 'due.user_id')
    .whereRef('emails.id', '=', 'due.id')
    .returningAll('emails')
    .execute()
}

/** Whose mail this is and to whom it went; also of one that was deleted, because its links live on. */
export async function findSender(
  db: Queryable,
  userId: number,
  id: number,
): Promise<Pick<EmailRow, 'to_line' | 'from_address' | 'correspondent_key'> | undefined> {
  return db
    .selectFrom('emails')
    .select(['to_line', 'from_address', 'correspondent_key'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('direction', '=', 'out')
    .executeTakeFirst()
}
