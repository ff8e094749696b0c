import { type RawBuilder, sql } from 'kysely'
import type { Folder } from '#contract/mail/emails.ts'
import { anyUser } from '../../../platform/database/any-user.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { type Filter, filterCondition } from './list-store.ts'
import type { Search } from './parse-search.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { numberOf, rowsOf } from '../../../platform/database/rows.ts'

/** A search lists at most this many mails, the newest; older ones are found with `before:`. */
export const FOUND_MAX = 1000

/** How many of the newest mails are scanned first, to see whether many of them match. */
const SCANNED_FIRST = 200
/** How many of these must match for the scan to continue: one in twenty. */
const MANY = 10
/** How many mails are scanned at most before the index is used after all. */
const SCANNED_MAX = 20_000
/** Scanning a long mail's entry costs about this many times as much as a mail found by the index. */
const SCAN_COST = 12

/** Memory for sorting entries before they are merged into the index; a merge of the usual size takes a quarter. */
const MERGE_MEMORY = '128MB'

/** A search in a folder. `tsquery`: the search terms in text form, null without any. */
export type EmailQuery = {
  folder: Folder
  filter: Filter
  mailboxId: number | null
  search: Search
  tsquery: string | null
}

/**
 * The ids of the matching mails, newest first, at most one more than `FOUND_MAX`.
 *
 * Terms in many mails are found fastest by scanning the newest mails one by one; terms in few mails by the index, which
 * returns all matches in no order. The newest mails tell which is the case.
 */
export async function findEmails(db: Queryable, userId: number, query: EmailQuery): Promise<number[]> {
  const where = conditionsOf(userId, query)
  if (query.tsquery === null) return idsOf(db, sql`SELECT e.id ${newest(where, FOUND_MAX + 1)}`)
  const first = await scanNewest(db, userId, query.tsquery, where, SCANNED_FIRST)
  if (first.all) return first.ids
  if (
    first.ids.length >= MANY &&
    (await shouldKeepScanning(db, userId, query, first.ids.length / SCANNED_FIRST))
  ) {
    const more = await scanNewest(db, userId, query.tsquery, where, SCANNED_MAX)
    if (more.all || more.ids.length > FOUND_MAX) return more.ids
  }
  return searchIndex(db, query.tsquery, where)
}

/** True when scanning on is faster than the index, given the share of the newest mails that match. */
async function shouldKeepScanning(
  db: Queryable,
  userId: number,
  query: EmailQuery,
  share: number,
): Promise<boolean> {
  // Other conditions have indexes of their own, and nobody knows how many mails they leave.
  if (isNarrowed(query)) return true
  const { rows } = await sql<{ mails: number }>`
    SELECT coalesce(sum(total), 0)::bigint AS mails FROM email_counts WHERE user_id = ${userId}`.execute(db)
  return ((FOUND_MAX + 1) / share) * SCAN_COST < (rows[0]?.mails ?? 0) * share
}

function isNarrowed({ filter, mailboxId, search }: EmailQuery): boolean {
  const { starred, unread, attachments, after, before } = search
  const conditions = [mailboxId, starred, unread, after, before]
  return filter !== 'all' || attachments || conditions.some((each) => each !== null)
}

function conditionsOf(
  userId: number,
  { folder, filter, mailboxId, search }: EmailQuery,
): RawBuilder<unknown> {
  const { starred, unread, attachments, after, before } = search
  return sql.join(
    [
      sql`e.user_id = ${userId}`,
      sql`e.folder = ${sql.lit(folder)}`,
      ...filterCondition(filter),
      ...(mailboxId === null ? [] : [sql`e.mailbox_id = ${mailboxId}`]),
      ...(starred === null ? [] : [starred ? sql`e.is_starred` : sql`NOT e.is_starred`]),
      ...(unread === null ? [] : [unread ? sql`NOT e.is_read` : sql`e.is_read`]),
      ...(attachments ? filterCondition('attachments') : []),
      ...(after === null ? [] : [sql`e.occurred_at >= ${after}`]),
      ...(before === null ? [] : [sql`e.occurred_at < ${before}`]),
    ],
    sql` AND `,
  )
}

function newest(where: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`FROM emails e WHERE ${where} ORDER BY e.occurred_at DESC, e.id DESC LIMIT ${sql.lit(limit)}`
}

async function idsOf(db: Queryable, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map((row) => row.id)
}

/** The matches among the newest `depth` mails; `all` when there are no more mails to scan. */
async function scanNewest(
  db: Queryable,
  userId: number,
  tsquery: string,
  where: RawBuilder<unknown>,
  depth: number,
): Promise<{ ids: number[]; all: boolean }> {
  // The inner OFFSET keeps the planner from using the GIN index once per mail.
  const ids = await idsOf(
    db,
    sql`
    SELECT n.id FROM (SELECT e.id ${newest(where, depth)}) n CROSS JOIN LATERAL (
      SELECT s.words FROM email_search s WHERE s.user_id = ${userId} AND s.email_id = n.id OFFSET 0
    ) w
    WHERE w.words @@ ${tsquery}::tsquery LIMIT ${sql.lit(FOUND_MAX + 1)}`,
  )
  return { ids, all: ids.length <= FOUND_MAX && (await isShorter(db, where, depth)) }
}

async function isShorter(db: Queryable, where: RawBuilder<unknown>, depth: number): Promise<boolean> {
  const { rows } = await sql`SELECT e.id FROM emails e WHERE ${where} ORDER BY e.occurred_at DESC, e.id DESC
    LIMIT 1 OFFSET ${sql.lit(depth)}`.execute(db)
  return rows.length === 0
}

function searchIndex(db: Queryable, tsquery: string, where: RawBuilder<unknown>): Promise<number[]> {
  return idsOf(
    db,
    sql`
    WITH found AS MATERIALIZED (
      SELECT user_id, email_id, occurred_at FROM emails_with_words(${tsquery}::tsquery)
    )
    SELECT e.id FROM (SELECT * FROM found ORDER BY occurred_at DESC, email_id DESC OFFSET 0) f
    CROSS JOIN LATERAL (
      SELECT e.id FROM emails e WHERE ${where} AND e.user_id = f.user_id AND e.id = f.email_id OFFSET 0
    ) e
    LIMIT ${sql.lit(FOUND_MAX + 1)}`,
  )
}

/** A mail that is to be indexed. */
export type UnindexedMail = {
  id: number
  fromName: string
  fromAddress: string
  to: string
  subject: string
  text: string
  occurredAt: Date
}

/** How many entries the index queue has ever had: it grows with every new mail. */
export async function mailsQueuedEver(db: Queryable): Promise<number> {
  return numberOf(db)`SELECT last_value AS queued FROM email_search_queue_place_seq`
}

/** How many of a user's mails wait to be indexed, up to `atMost`; each counts once, however often it changed. */
export async function countUnindexed(db: Queryable, userId: number, atMost: number): Promise<number> {
  return numberOf(db)`
    SELECT count(*) AS count FROM (
      SELECT DISTINCT occurred_at, email_id FROM email_search_queue WHERE user_id = ${userId} LIMIT ${atMost}
    ) q`
}

/** Takes mails of a user off the queue, newest first. `taken` counts queue entries, of which a mail may have several. */
export async function takeUnindexed(
  tx: Queryable,
  userId: number,
  limit: number,
): Promise<{ taken: number; ids: number[] }> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM email_search_queue q USING (
      SELECT occurred_at, email_id, place FROM email_search_queue WHERE user_id = ${userId}
      ORDER BY occurred_at DESC, email_id DESC, place DESC LIMIT ${limit}
    ) t WHERE q.user_id = ${userId} AND q.occurred_at = t.occurred_at AND q.email_id = t.email_id AND q.place = t.place
    RETURNING q.email_id AS id`.execute(tx)
  return { taken: rows.length, ids: [...new Set(rows.map((row) => row.id))] }
}

/** What is indexed of these mails, with at most `textMax` characters of their text; deleted mails are left out. */
export async function searchableMails(
  tx: Queryable,
  userId: number,
  ids: readonly number[],
  textMax: number,
): Promise<UnindexedMail[]> {
  return rowsOf<UnindexedMail>(tx)`
    SELECT e.id, e.from_name AS "fromName", coalesce(nullif(e.from_line, ''), e.from_address) AS "fromAddress",
      concat_ws(', ', e.to_line, nullif(b.cc_line, ''), nullif(b.bcc_line, '')) AS "to", e.subject,
      left(coalesce(b.text, ''), ${textMax}) AS text, e.occurred_at AS "occurredAt"
    FROM emails e LEFT JOIN email_bodies b ON b.user_id = e.user_id AND b.email_id = e.id
    WHERE e.user_id = ${anyUser(userId)} AND e.id = ANY(${ids}::bigint[]) AND e.folder <> 'deleted'
    `
}

/** The index entry of a mail, with its tsvector in text form. */
export type IndexEntry = { id: number; occurredAt: Date; tsvector: string }

/** Writes the index entries of mails. */
export async function writeIndexEntries(
  tx: Queryable,
  userId: number,
  entries: readonly IndexEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    INSERT INTO email_search AS s (user_id, email_id, occurred_at, words)
    SELECT ${userId}, w.id, w.occurred_at, w.tsvector::tsvector
    FROM unnest(${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${entries.map(({ tsvector }) => tsvector)}::text[]) AS w(id, occurred_at, tsvector)
    ON CONFLICT (user_id, email_id) DO UPDATE SET occurred_at = excluded.occurred_at, words = excluded.words
    WHERE s.words IS DISTINCT FROM excluded.words OR s.occurred_at IS DISTINCT FROM excluded.occurred_at
    `.execute(tx)
}

/**
 * Merges the pending list of the GIN index into the index: entries for the same page are written together. Searches and
 * writers continue meanwhile.
 */
export async function mergeIndexEntries(db: Queryable): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL maintenance_work_mem = ${sql.lit(MERGE_MEMORY)}`.execute(tx)
    await sql`SELECT gin_clean_pending_list('email_search_words'::regclass)`.execute(tx)
  })
}
