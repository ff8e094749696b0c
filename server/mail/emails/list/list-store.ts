import { type RawBuilder, sql } from 'kysely'
import type { Folder } from '#contract/mail/emails.ts'
import { type ListedEmail, listed } from '../messages/store.ts'
import { DELIVERY_REPORTS } from '../messages/summary.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { idsOf, numberOf } from '../../../platform/database/rows.ts'

/** How many mails of a thread are shown, the newest. */
const SHOWN_MAX = 200

export type Filter = 'all' | 'starred' | 'unread' | 'sent' | 'received' | 'attachments' | 'reports'

/** Which mails of a folder are listed. */
export type Listing = { folder: Folder; filter: Filter; mailboxId: number | null; collapse: boolean }

/** A range of a list: rows from `offset` on, or those after the mail `after`. `total` is the length of the list. */
export type PageRange = { limit: number; offset: number; after: number | null; total: number }

// Literal SQL instead of parameters: only then can the planner see which partial index has just these mails.
const CONDITIONS: Record<Exclude<Filter, 'all'>, RawBuilder<boolean>> = {
  starred: sql`is_starred`,
  unread: sql`NOT is_read`,
  attachments: sql`attachment_names <> '{}'`,
  sent: sql`direction = 'out'`,
  received: sql`direction = 'in'`,
  reports: sql`collapse_key = ${sql.lit(DELIVERY_REPORTS)}`,
}

/** The condition of a filter, in SQL. */
export function filterCondition(filter: Filter): RawBuilder<boolean>[] {
  return filter === 'all' ? [] : [CONDITIONS[filter]]
}

type FolderCounts = {
  of_mailbox: boolean
  total: number
  unread: number
  starred: number
  with_files: number
  received: number
  shown: number
}

/** The length of a list, and the listing without conditions that exclude nothing, such as the only account. */
export async function measureList(
  db: Queryable,
  userId: number,
  listing: Listing,
): Promise<{ total: number; listing: Listing }> {
  const { rows } = await sql<FolderCounts>`
    SELECT false AS of_mailbox, total, unread, starred, with_files, received, shown FROM email_counts
    WHERE user_id = ${userId} AND folder = ${listing.folder}
    UNION ALL
    SELECT true, total, unread, starred, with_files, received, 0 FROM email_mailbox_counts
    WHERE user_id = ${userId} AND mailbox_id = ${listing.mailboxId}::bigint AND folder = ${listing.folder}
    `.execute(db)
  const whole = rows.find((row) => !row.of_mailbox)
  const counts = listing.mailboxId === null ? whole : rows.find((row) => row.of_mailbox)
  if (counts === undefined || whole === undefined) return { total: 0, listing }
  const total = listing.collapse
    ? counts.shown
    : listing.filter === 'reports'
      ? await countReports(db, userId, listing)
      : countOf(counts, listing.filter)
  return {
    total,
    listing: {
      ...listing,
      filter: total === counts.total ? 'all' : listing.filter,
      mailboxId: counts.total === whole.total ? null : listing.mailboxId,
    },
  }
}

/** Delivery reports are few, and have an index of their own: no counter is kept for them. */
async function countReports(db: Queryable, userId: number, listing: Listing): Promise<number> {
  return numberOf(db)`SELECT count(*) AS total FROM ${mails(userId, listing)}`
}

function countOf(counts: FolderCounts, filter: Exclude<Filter, 'reports'>): number {
  if (filter === 'all') return counts.total
  if (filter === 'sent') return counts.total - counts.received
  return counts[filter === 'attachments' ? 'with_files' : filter]
}

/** The ids in a range of a list, newest first, by an index-only scan. */
export async function listIds(
  db: Queryable,
  userId: number,
  listing: Listing,
  range: PageRange,
): Promise<number[]> {
  const rest = range.total - range.offset
  // The second half of the list is read from its end, which is nearer.
  const fromEnd = range.after === null && range.offset > rest
  const limit = fromEnd ? Math.min(range.limit, rest) : range.limit
  if (limit <= 0) return []
  const offset = range.after !== null ? 0 : fromEnd ? Math.max(0, rest - range.limit) : range.offset
  const rows = listing.collapse ? groups(userId) : mails(userId, listing)
  const { at, id } = listing.collapse
    ? { at: sql`newest_at`, id: sql`newest_id` }
    : { at: sql`occurred_at`, id: sql`id` }
  const behind =
    range.after === null ? sql`` : sql`AND (${at}, ${id}) < (${timeOf(userId, range.after)}, ${range.after})`
  const order = fromEnd ? sql`${at}, ${id}` : sql`${at} DESC, ${id} DESC`
  const found = await sql<{ id: number }>`
    SELECT ${id} AS id FROM ${rows} ${behind} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const ids = found.rows.map((row) => row.id)
  return fromEnd ? ids.toReversed() : ids
}

const groups = (userId: number) => sql`inbox_groups WHERE user_id = ${userId}`

function mails(userId: number, { folder, filter, mailboxId }: Listing) {
  const conditions = [
    sql`user_id = ${userId}`,
    sql`folder = ${sql.lit(folder)}`,
    ...(mailboxId === null ? [] : [sql`mailbox_id = ${mailboxId}`]),
    ...filterCondition(filter),
  ]
  return sql`emails WHERE ${sql.join(conditions, sql` AND `)}`
}

function timeOf(userId: number, id: number) {
  return sql`(SELECT t.occurred_at FROM emails t WHERE t.user_id = ${userId} AND t.id = ${id})`
}

/** These mails as a list shows them, in this order; with `collapse` each represents its group in the inbox. */
export async function listedByIds(
  db: Queryable,
  userId: number,
  ids: readonly number[],
  collapse = false,
): Promise<ListedEmail[]> {
  if (ids.length === 0) return []
  const rows = await listed(db)
    .where('emails.user_id', '=', userId)
    .where('emails.folder', '!=', 'deleted')
    .where(sql<boolean>`emails.id = ANY(${[...ids]}::bigint[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (collapse) await addGroups(db, userId, byId)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Adds the group sizes. A row that represents several mails is unread while one of them is. */
async function addGroups(
  db: Queryable,
  userId: number,
  byId: ReadonlyMap<number, ListedEmail>,
): Promise<void> {
  const keys = [...new Set([...byId.values()].map((row) => row.collapse_key))]
  const { rows } = await sql<{ id: number; mails: number; unread: number }>`
    SELECT newest_id AS id, mails, unread FROM inbox_groups
    WHERE user_id = ${userId} AND collapse_key = ANY(${keys}::text[])`.execute(db)
  for (const { id, mails, unread } of rows) {
    const row = byId.get(id)
    if (row !== undefined) Object.assign(row, { collapsed: mails, is_read: unread === 0 })
  }
}

/**
 * The newest mails of the thread that a mail belongs to, that mail first; without mails in the trash and deleted ones. Of a
 * mail that came to two accounts, one copy.
 */
export async function threadIds(
  db: Queryable,
  userId: number,
  mail: { id: number; thread_id: number },
): Promise<number[]> {
  return idsOf(db)`
    SELECT id FROM (
      SELECT DISTINCT ON (coalesce(direction || message_id || digest, id::text)) id, occurred_at FROM emails
      WHERE user_id = ${userId} AND thread_id = ${mail.thread_id} AND (folder NOT IN ('trash', 'deleted') OR id = ${mail.id})
      ORDER BY coalesce(direction || message_id || digest, id::text), id = ${mail.id} DESC, folder = 'spam', id
    ) shown
    ORDER BY id = ${mail.id} DESC, occurred_at DESC, id DESC LIMIT ${SHOWN_MAX}`
}

/** Mails from and to one address that are older than a time and id, newest first. */
export async function correspondenceRows(
  db: Queryable,
  userId: number,
  addressKey: string,
  before: { at: Date; id: number },
  limit: number,
): Promise<ListedEmail[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM emails
    WHERE user_id = ${userId} AND correspondent_key = ${addressKey} AND folder <> 'deleted'
      AND occurred_at <= ${before.at} AND (occurred_at, id) < (${before.at}, ${before.id})
    ORDER BY occurred_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return listedByIds(
    db,
    userId,
    rows.map((row) => row.id),
  )
}
