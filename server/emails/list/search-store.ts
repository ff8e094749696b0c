import { type RawBuilder, sql } from 'kysely'
import type { Folder } from '#contract/emails.ts'
import { anyUser } from '../../database/any-user.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Filter, filterCondition } from './list-store.ts'
import type { Search } from './parse-search.ts'
import type { Queryable } from '../../database/handles.ts'

/** A search lists so many mails, the newest; older ones are found with `before:`. */
export const FOUND_MAX = 1000

/** So many of the newest mails are looked at first, to see whether the words are in many of them. */
const LOOKED_AT_FIRST = 200
/** Of these so many must hold the words for going on like that: one in twenty. */
const MANY = 10
/** Mails that are looked at one after the other before the index is asked after all. */
const LOOKED_AT_MAX = 20_000
/** Unpacking a long mail's words takes about so many times as long as a mail that the index names. */
const LOOKING_COSTS = 12

/** Memory for putting words in order before they go into the index; a merge of the usual size takes a quarter. */
const MERGE_MEMORY = '128MB'

/** What is looked for where: `words` in the text form of tsquery. */
export type EmailQuery = {
  folder: Folder
  filter: Filter
  mailboxId: number | null
  search: Search
  tsquery: string | null
}

/**
 * The ids of the mails that are wanted, newest first, at most one more than `FOUND_MAX`.
 *
 * Words in many mails are found soonest by looking at the newest mails one by one; words in few by the index, which
 * gives all of them in no order. The newest mails tell which it is.
 */
export async function findEmails(db: Queryable, userId: number, wanted: EmailQuery): Promise<number[]> {
  const where = conditionsOf(userId, wanted)
  if (wanted.tsquery === null) return idsOf(db, sql`SELECT e.id ${newest(where, FOUND_MAX + 1)}`)
  const first = await scanNewest(db, userId, wanted.tsquery, where, LOOKED_AT_FIRST)
  if (first.all) return first.ids
  if (
    first.ids.length >= MANY &&
    (await shouldKeepScanning(db, userId, wanted, first.ids.length / LOOKED_AT_FIRST))
  ) {
    const more = await scanNewest(db, userId, wanted.tsquery, where, LOOKED_AT_MAX)
    if (more.all || more.ids.length > FOUND_MAX) return more.ids
  }
  return searchIndex(db, wanted.tsquery, where)
}

/** True when going on from mail to mail is sooner done than the index, where this share of the newest holds the words. */
async function shouldKeepScanning(
  db: Queryable,
  userId: number,
  wanted: EmailQuery,
  share: number,
): Promise<boolean> {
  // What narrows besides the words has an index of its own, and how many it leaves nobody knows.
  if (isNarrowed(wanted)) return true
  const { rows } = await sql<{ mails: number }>`
    SELECT coalesce(sum(total), 0)::bigint AS mails FROM email_counts WHERE user_id = ${userId}`.execute(db)
  return ((FOUND_MAX + 1) / share) * LOOKING_COSTS < (rows[0]?.mails ?? 0) * share
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

/** Of the newest `depth` mails those that hold the words; `all` when there are no more to look at. */
async function scanNewest(
  db: Queryable,
  userId: number,
  words: string,
  where: RawBuilder<unknown>,
  depth: number,
): Promise<{ ids: number[]; all: boolean }> {
  // The inner OFFSET keeps the planner from asking the index of words once a mail.
  const ids = await idsOf(
    db,
    sql`
    SELECT n.id FROM (SELECT e.id ${newest(where, depth)}) n CROSS JOIN LATERAL (
      SELECT s.words FROM email_search s WHERE s.user_id = ${userId} AND s.email_id = n.id OFFSET 0
    ) w
    WHERE w.words @@ ${words}::tsquery LIMIT ${sql.lit(FOUND_MAX + 1)}`,
  )
  return { ids, all: ids.length <= FOUND_MAX && (await isShorter(db, where, depth)) }
}

async function isShorter(db: Queryable, where: RawBuilder<unknown>, depth: number): Promise<boolean> {
  const { rows } = await sql`SELECT e.id FROM emails e WHERE ${where} ORDER BY e.occurred_at DESC, e.id DESC
    LIMIT 1 OFFSET ${sql.lit(depth)}`.execute(db)
  return rows.length === 0
}

function searchIndex(db: Queryable, words: string, where: RawBuilder<unknown>): Promise<number[]> {
  return idsOf(
    db,
    sql`
    WITH found AS MATERIALIZED (
      SELECT user_id, email_id, occurred_at FROM emails_with_words(${words}::tsquery)
    )
    SELECT e.id FROM (SELECT * FROM found ORDER BY occurred_at DESC, email_id DESC OFFSET 0) f
    CROSS JOIN LATERAL (
      SELECT e.id FROM emails e WHERE ${where} AND e.user_id = f.user_id AND e.id = f.email_id OFFSET 0
    ) e
    LIMIT ${sql.lit(FOUND_MAX + 1)}`,
  )
}

/** A mail whose words are to be written. */
export type UnindexedMail = {
  id: number
  fromName: string
  fromAddress: string
  to: string
  subject: string
  text: string
  occurredAt: Date
}

/** Users who have mails whose words are to be written. */
export async function usersWithUnindexed(db: Queryable, limit: number): Promise<number[]> {
  // Jumps from user to user in the index, however many mails wait of each.
  const { rows } = await sql<{ user_id: number }>`
    WITH RECURSIVE waiting AS (
      (SELECT user_id FROM email_search_queue ORDER BY user_id LIMIT 1)
      UNION ALL
      SELECT n.user_id FROM waiting w CROSS JOIN LATERAL (
        SELECT user_id FROM email_search_queue WHERE user_id > w.user_id ORDER BY user_id LIMIT 1
      ) n
    )
    SELECT user_id FROM waiting LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** How often mails have been noted for having their words written: it grows with every mail that comes in. */
export async function mailsQueuedEver(db: Queryable): Promise<number> {
  const { rows } = await sql<{
    noted: number
  }>`SELECT last_value AS noted FROM email_search_queue_place_seq`.execute(db)
  return rows[0]?.noted ?? 0
}

/** How many of a user's mails wait for their words to be written, up to `atMost`; each once, however often it changed. */
export async function countUnindexed(db: Queryable, userId: number, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT DISTINCT occurred_at, email_id FROM email_search_queue WHERE user_id = ${userId} LIMIT ${atMost}
    ) q`.execute(db)
  return rows[0]?.count ?? 0
}

/** True when this transaction is the only one that writes words of this user. */
export async function lockIndex(tx: Queryable, userId: number): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('mail words', ${userId})) AS ours`.execute(tx)
  return rows[0]?.ours ?? false
}

/** Takes mails of a user off the queue, the newest first, each once. `taken` also counts how often they stood there. */
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

/** What is searched of these mails, with at most `textMax` characters of their text; those that are no more are left out. */
export async function searchableMails(
  tx: Queryable,
  userId: number,
  ids: readonly number[],
  textMax: number,
): Promise<UnindexedMail[]> {
  const { rows } = await sql<UnindexedMail>`
    SELECT e.id, e.from_name AS "fromName", e.from_address AS "fromAddress",
      concat_ws(', ', e.to_line, nullif(b.cc_line, ''), nullif(b.bcc_line, '')) AS "to", e.subject,
      left(coalesce(b.text, ''), ${textMax}) AS text, e.occurred_at AS "occurredAt"
    FROM emails e LEFT JOIN email_bodies b ON b.user_id = e.user_id AND b.email_id = e.id
    WHERE e.user_id = ${anyUser(userId)} AND e.id = ANY(${ids}::bigint[]) AND e.folder <> 'deleted'`.execute(
    tx,
  )
  return rows
}

/** Writes the words of mails, each in the text form of tsvector. */
export async function writeIndexEntries(
  tx: Queryable,
  userId: number,
  mails: readonly { id: number; occurredAt: Date; words: string }[],
): Promise<void> {
  if (mails.length === 0) return
  await sql`
    INSERT INTO email_search AS s (user_id, email_id, occurred_at, words)
    SELECT ${userId}, w.id, w.occurred_at, w.words::tsvector
    FROM unnest(${mails.map((mail) => mail.id)}::bigint[], ${mails.map((mail) => mail.occurredAt)}::timestamptz[],
      ${mails.map((mail) => mail.words)}::text[]) AS w(id, occurred_at, words)
    ON CONFLICT (user_id, email_id) DO UPDATE SET occurred_at = excluded.occurred_at, words = excluded.words
    WHERE s.words IS DISTINCT FROM excluded.words OR s.occurred_at IS DISTINCT FROM excluded.occurred_at`.execute(
    tx,
  )
}

/**
 * Has the index take in the words that it has only put on its list so far: as many as stand there go into each of its
 * pages together. Searches and writers go on meanwhile.
 */
export async function mergeIndexEntries(db: Queryable): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL maintenance_work_mem = ${sql.lit(MERGE_MEMORY)}`.execute(tx)
    await sql`SELECT gin_clean_pending_list('email_search_words'::regclass)`.execute(tx)
  })
}
