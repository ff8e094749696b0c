import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ComputedStatus, ContactSort } from '#contract/crm/contacts.ts'
import type { Tag } from '#contract/crm/tags.ts'
import { type ContactFilter, isUnfiltered, matching, meetingsCountFrom } from './matching-store.ts'
import type { ContactsTable } from './tables.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { changeRow, numberOf, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type ContactRow = Selectable<ContactsTable> & {
  computed_status: ComputedStatus
  last_contact: Date | null
  suppressed: SuppressionReason | null
  tags: Tag[]
}

export type ContactFields = Pick<
  Selectable<ContactsTable>,
  'name' | 'email' | 'company' | 'phone' | 'position' | 'notes' | 'status'
>

/** Each computed status as a condition on contact_activity; the first that applies is the contact's. */
function computedStatus(now: Date): RawBuilder<ComputedStatus> {
  return sql<ComputedStatus>`CASE WHEN coalesce(a.meeting_ends_at > ${meetingsCountFrom(now)}, false) THEN 'meeting_scheduled'
    ELSE contact_status(a.first_sent_at, a.replied_at, a.interested_at, a.follow_ups) END`
}

/** Each order and its reverse. */
const ORDERS: Record<ContactSort, [forth: RawBuilder<unknown>, back: RawBuilder<unknown>]> = {
  newest: [sql`c.id DESC`, sql`c.id`],
  oldest: [sql`c.id`, sql`c.id DESC`],
  name: [sql`lower(c.name), c.id`, sql`lower(c.name) DESC, c.id DESC`],
  '-name': [sql`lower(c.name) DESC, c.id DESC`, sql`lower(c.name), c.id`],
  email: [sql`c.email_key`, sql`c.email_key DESC`],
  '-email': [sql`c.email_key DESC`, sql`c.email_key`],
  company: [
    sql`c.company = '', lower(c.company), c.id`,
    sql`c.company = '' DESC, lower(c.company) DESC, c.id DESC`,
  ],
  '-company': [
    sql`c.company = '' DESC, lower(c.company) DESC, c.id DESC`,
    sql`c.company = '', lower(c.company), c.id`,
  ],
  // A contact never written to counts as the one not written to for the longest time.
  last_contact: [
    sql`s.last_contact NULLS FIRST, s.contact_id`,
    sql`s.last_contact DESC NULLS LAST, s.contact_id DESC`,
  ],
  '-last_contact': [
    sql`s.last_contact DESC NULLS LAST, s.contact_id DESC`,
    sql`s.last_contact NULLS FIRST, s.contact_id`,
  ],
}

/** A page beyond this many rows is read from the nearer end. */
const FAR = 2000
/** A rough count looks this many pages beyond the current one. */
const ROUGH_PAGES = 5

type Page = { sort: ContactSort; limit: number; offset: number; total: 'exact' | 'rough' }

/**
 * One page of the user's contacts. The page's ids are found first, so that mails and meetings are looked up for these
 * rows only. A `rough` total is exact up to a few pages from here, and merely higher beyond that.
 */
export async function listContacts(
  db: Queryable,
  userId: number,
  filter: ContactFilter,
  page: Page,
  now: Date,
): Promise<{ rows: ContactRow[]; total: number }> {
  const from = await matching(db, userId, filter, now, page.sort.endsWith('last_contact'))
  if (isUnfiltered(filter)) {
    const total = await countContacts(db, userId)
    return { rows: await rowsAt(db, userId, from, page, total, now), total }
  }
  if (page.total === 'rough') return roughPage(db, userId, from, page, now)
  const [rows, total] = await Promise.all([
    rowsAt(db, userId, from, page, null, now),
    countMatching(db, from, null),
  ])
  return { rows, total }
}

/** A page and the number of rows up to a few pages beyond it, in one query: the search is what costs. */
async function roughPage(
  db: Queryable,
  userId: number,
  from: RawBuilder<unknown>,
  { sort, limit, offset }: Page,
  now: Date,
): Promise<{ rows: ContactRow[]; total: number }> {
  const [forth] = ORDERS[sort]
  const atMost = offset + ROUGH_PAGES * limit + 1
  const { rows } = await sql<ContactRow & { near: number }>`
    WITH near AS MATERIALIZED (SELECT c.id ${from} ORDER BY ${forth} LIMIT ${atMost}),
      page AS MATERIALIZED (SELECT id FROM near LIMIT ${limit} OFFSET ${offset})
    ${rowsOfPage(userId, now, sql`c.*, (SELECT count(*) FROM near) AS near`)}`.execute(db)
  const [first] = rows
  // Beyond the last page no row carries the total.
  if (first === undefined) return { rows, total: await countMatching(db, from, atMost) }
  return { rows: rows.map(({ near: _, ...row }) => row), total: first.near }
}

/** `total` if known: pages beyond its middle are then read from the end. */
async function rowsAt(
  db: Queryable,
  userId: number,
  from: RawBuilder<unknown>,
  { sort, limit, offset }: Page,
  total: number | null,
  now: Date,
): Promise<ContactRow[]> {
  const [forth, back] = ORDERS[sort]
  const fromEnd = total !== null && offset > FAR && offset > total / 2
  const wanted = fromEnd ? Math.min(limit, total - offset) : limit
  if (wanted <= 0) return []
  const skipped = fromEnd ? total - offset - wanted : offset
  const { rows } = await sql<ContactRow>`
    WITH page AS MATERIALIZED (
      SELECT c.id ${from} ORDER BY ${fromEnd ? back : forth} LIMIT ${wanted} OFFSET ${skipped}
    )
    ${rowsOfPage(userId, now)}`.execute(db)
  return fromEnd ? rows.toReversed() : rows
}

/** The number of contacts, counted up to `atMost`. */
async function countMatching(db: Queryable, from: RawBuilder<unknown>, atMost: number | null) {
  const { rows } = await (
    atMost === null
      ? sql<{ total: number }>`SELECT count(*) AS total ${from}`
      : sql<{ total: number }>`SELECT count(*) AS total FROM (SELECT c.id ${from} LIMIT ${atMost}) counted`
  ).execute(db)
  return rows[0]?.total ?? 0
}

/** How many contacts were mailed, and how many of them replied. */
export async function countMailed(db: Queryable, userId: number) {
  return onlyRowOf<{ mailed: number; replied: number }>(db)`
    SELECT coalesce(sum(mailed), 0)::bigint AS mailed, coalesce(sum(replied), 0)::bigint AS replied
    FROM mailed_counts WHERE user_id = ${userId}`
}

/**
 * Contacts that were mailed and are silent, the longest first. Those never mailed come first in the index and are skipped by
 * their time, so that a million of them cost nothing.
 */
export async function contactsThatAreSilent(db: Queryable, userId: number, limit: number, now: Date) {
  return rowsOf<ContactRow>(db)`
    WITH page AS MATERIALIZED (
      SELECT s.contact_id AS id FROM contact_statuses s
      WHERE s.user_id = ${userId} AND s.status IN ('sent', 'follow_up_1', 'follow_up_2', 'follow_up_3')
        AND s.last_contact >= '-infinity'
        AND s.contact_id <> ALL(ARRAY(SELECT m.contact_id FROM contact_meetings m
          WHERE m.user_id = ${userId} AND m.end_time > ${meetingsCountFrom(now)}))
      ORDER BY s.last_contact NULLS FIRST, s.contact_id LIMIT ${limit}
    )
    ${rowsOfPage(userId, now)}`
}

/** How many of the user's contacts match a filter. */
export async function countFiltered(db: Queryable, userId: number, filter: ContactFilter, now: Date) {
  if (isUnfiltered(filter)) return countContacts(db, userId)
  return countMatching(db, await matching(db, userId, filter, now), null)
}

function contactsWithActivity(userId: number, now: Date): RawBuilder<unknown> {
  return sql`
    SELECT c.*, a.last_contact, a.suppressed, ${computedStatus(now)} AS computed_status, ${tagsOf(userId)} AS tags
    FROM contacts c JOIN contact_activity a
      ON c.user_id = ${userId} AND a.user_id = ${userId} AND a.contact_id = c.id`
}

function tagsOf(userId: number): RawBuilder<unknown> {
  return sql`(SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'colour', t.colour) ORDER BY t.name_key), '[]')
    FROM contact_tags ct JOIN tags t ON t.user_id = ct.user_id AND t.id = ct.tag_id
    WHERE ct.user_id = ${userId} AND ct.contact_id = c.id)`
}

/**
 * The rows of the ids in `page`, in its order, each looked up by its key. OFFSET 0 keeps the planner from joining all
 * contacts with all contacts, as it would while the statistics of a table that has just grown still say "empty".
 */
function rowsOfPage(userId: number, now: Date, columns = sql`c.*`): RawBuilder<unknown> {
  return sql`
    SELECT ${columns} FROM (SELECT id, row_number() OVER () AS place FROM page) page CROSS JOIN LATERAL (
      ${contactsWithActivity(userId, now)} WHERE c.id = page.id AND a.contact_id = page.id OFFSET 0
    ) c ORDER BY page.place`
}

/** The next contacts that match a filter, in the order of their ids. */
export async function contactsAfter(
  db: Queryable,
  userId: number,
  filter: ContactFilter,
  after: { id: number; limit: number },
  now: Date,
) {
  const from = await matching(db, userId, filter, now)
  return rowsOf<ContactRow>(db)`
    WITH page AS MATERIALIZED (SELECT c.id ${from} AND c.id > ${after.id} ORDER BY c.id LIMIT ${after.limit})
    ${rowsOfPage(userId, now)}`
}

export async function findContact(db: Queryable, userId: number, id: number, now: Date) {
  return rowOf<ContactRow>(db)`${contactsWithActivity(userId, now)} WHERE c.id = ${id}`
}

/** Adds a contact and returns its id. @throws a unique violation when the address already exists */
export async function insertContact(db: Queryable, userId: number, fields: ContactFields, now: Date) {
  const row = await db
    .insertInto('contacts')
    .values({
      ...fields,
      user_id: userId,
      email_key: fields.email.toLowerCase(),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Changes the given fields; false when there is no such contact. @throws a unique violation as `insertContact` */
export async function changeContact(
  db: Queryable,
  userId: number,
  id: number,
  fields: Partial<ContactFields>,
  now: Date,
): Promise<boolean> {
  const key = fields.email === undefined ? {} : { email_key: fields.email.toLowerCase() }
  return changeRow(db, 'contacts', userId, id, { ...fields, ...key, updated_at: now })
}

/** How many contacts the user has. */
export async function countContacts(db: Queryable, userId: number) {
  return numberOf(db)`SELECT total FROM contact_counts WHERE user_id = ${userId}`
}

export type ContactToMail = Pick<
  Selectable<ContactsTable>,
  'id' | 'name' | 'email' | 'email_key' | 'company' | 'phone' | 'position' | 'notes'
>

/**
 * The next `limit` contacts after `afterId` (0 to begin), in the order of their ids, with what a mail to them needs.
 */
export async function contactsToMail(db: Queryable, userId: number, afterId: number, limit: number) {
  return db
    .selectFrom('contacts')
    .select(['id', 'name', 'email', 'email_key', 'company', 'phone', 'position', 'notes'])
    .where('user_id', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Contacts that a filter lets through, or those of given ids that still exist. */
export type AskedContacts = ContactFilter | readonly number[]

function fromAsked(db: Queryable, userId: number, asked: AskedContacts, now: Date) {
  return 'search' in asked
    ? matching(db, userId, asked, now)
    : sql`FROM contacts c WHERE c.user_id = ${userId} AND c.id = ANY(${[...asked]}::bigint[])`
}

/** As `contactsToMail`, of some contacts. */
export async function contactsToMailAmong(
  db: Queryable,
  userId: number,
  asked: AskedContacts,
  after: { id: number; limit: number },
  now: Date,
) {
  return rowsOf<ContactToMail>(db)`
    SELECT c.id, c.name, c.email, c.email_key, c.company, c.phone, c."position", c.notes ${await fromAsked(db, userId, asked, now)}
      AND c.id > ${after.id} ORDER BY c.id LIMIT ${after.limit}`
}

/** How many contacts these are. */
export async function countAsked(db: Queryable, userId: number, asked: AskedContacts, now: Date) {
  if ('search' in asked) return countFiltered(db, userId, asked, now)
  return countMatching(db, await fromAsked(db, userId, asked, now), null)
}

/** Contacts by their ids; deleted ones are missing. */
export async function contactsById(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, ContactToMail>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('contacts')
    .select(['id', 'name', 'email', 'email_key', 'company', 'phone', 'position', 'notes'])
    .where('user_id', '=', userId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The names of the user's contacts with these addresses, by normalized address. */
export async function contactNames(
  db: Queryable,
  userId: number,
  emailKeys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('contacts')
    .select(['email_key', 'name'])
    .where('user_id', '=', userId)
    .where('email_key', 'in', [...emailKeys])
    .execute()
  return new Map(rows.map(({ email_key: key, name }) => [key, name]))
}

/** The user's contact with this normalized address. */
export async function contactByAddress(db: Queryable, userId: number, emailKey: string) {
  return db
    .selectFrom('contacts')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
}
