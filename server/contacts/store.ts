import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ComputedStatus } from '#contract/contacts.ts'
import type { Queryable } from '../database/connect.ts'
import type { InstantRange } from './last-contact-range.ts'
import type { ContactsTable } from './tables.ts'

export type ContactRow = Selectable<ContactsTable> & {
  computed_status: ComputedStatus
  last_contact: Date | null
  suppressed: string | null
}

export type ContactFields = Pick<
  Selectable<ContactsTable>,
  'name' | 'email' | 'company' | 'phone' | 'position' | 'notes' | 'status'
>

export type Sort = 'newest' | 'name' | '-name' | 'email' | 'company' | 'last_contact' | '-last_contact'

export type ContactFilter = {
  search: string
  /** The user's own status or the computed one; null for all. */
  status: ContactRow['status'] | ComputedStatus | null
  company: string
  position: string
  emailDomain: string
  lastContact: InstantRange
}

/** A meeting that ended so long ago no longer makes a contact's status. */
const MEETING_COUNTS_DAYS = 30
const DAY_MS = 86_400_000

/** What each computed status means of a row of contact_activity; the first that holds is the contact's. */
function meanings(now: Date): Record<Exclude<ComputedStatus, 'new'>, RawBuilder<boolean>> {
  const since = new Date(now.getTime() - MEETING_COUNTS_DAYS * DAY_MS)
  return {
    meeting_scheduled: sql<boolean>`coalesce(a.meeting_ends_at > ${since}, false)`,
    interested: sql<boolean>`(a.interested_at IS NOT NULL)`,
    replied: sql<boolean>`(a.replied_at IS NOT NULL)`,
    follow_up_3: sql<boolean>`(a.follow_ups >= 3)`,
    follow_up_2: sql<boolean>`(a.follow_ups = 2)`,
    follow_up_1: sql<boolean>`(a.follow_ups = 1)`,
    sent: sql<boolean>`(a.first_sent_at IS NOT NULL)`,
  }
}

function computedStatus(now: Date): RawBuilder<ComputedStatus> {
  const cases = Object.entries(meanings(now)).map(([name, holds]) => sql`WHEN ${holds} THEN ${sql.lit(name)}`)
  return sql<ComputedStatus>`CASE ${sql.join(cases, sql` `)} ELSE 'new' END`
}

/**
 * True for the contacts of one computed status. Written as ANDs, not as `CASE … = `: the planner then asks the cheap
 * ones first and looks for meetings, the dear one, only where all others hold.
 */
function hasComputedStatus(status: ComputedStatus, now: Date): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = []
  for (const [name, holds] of Object.entries(meanings(now))) {
    if (name === status) return sql<boolean>`(${sql.join([...conditions, holds], sql` AND `)})`
    conditions.push(sql<boolean>`NOT ${holds}`)
  }
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

const OWN_STATUSES: readonly string[] = ['prospect', 'active', 'inactive']

/** The user's contacts that a filter lets through, as `FROM … WHERE …`; activity is joined only where it is asked for. */
function matching(
  userId: number,
  filter: ContactFilter,
  now: Date,
  needsActivity: boolean,
): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`c.user_id = ${userId}`]
  if (filter.search !== '') {
    const columns = ['name', 'email', 'company', 'position', 'phone', 'notes'] as const
    const found = columns.map((column) => sql`c.${sql.ref(column)} ILIKE ${containing(filter.search)}`)
    conditions.push(sql`(${sql.join(found, sql` OR `)})`)
  }
  if (filter.company !== '') conditions.push(sql`c.company ILIKE ${containing(filter.company)}`)
  if (filter.position !== '') conditions.push(sql`c.position ILIKE ${containing(filter.position)}`)
  if (filter.emailDomain !== '')
    conditions.push(sql`c.email_key LIKE ${`%${literal(filter.emailDomain.toLowerCase())}`}`)
  const { from, before } = filter.lastContact
  const { status } = filter
  const isComputed = status !== null && !OWN_STATUSES.includes(status)
  if (status !== null && !isComputed) conditions.push(sql`c.status = ${status}`)
  if (isComputed) conditions.push(hasComputedStatus(status as ComputedStatus, now))
  if (from !== null) conditions.push(sql`a.last_contact >= ${from}`)
  if (before !== null) conditions.push(sql`a.last_contact < ${before}`)
  const joinsActivity = needsActivity || isComputed || from !== null || before !== null
  const activity = sql`JOIN contact_activity a ON a.user_id = c.user_id AND a.contact_id = c.id`
  return sql`FROM contacts c ${joinsActivity ? activity : sql``} WHERE ${sql.join(conditions, sql` AND `)}`
}

// What somebody types is text, not a pattern.
const literal = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
const containing = (text: string) => `%${literal(text)}%`

const ORDER: Record<Sort, RawBuilder<unknown>> = {
  newest: sql`c.id DESC`,
  name: sql`lower(c.name), c.id`,
  '-name': sql`lower(c.name) DESC, c.id DESC`,
  email: sql`c.email_key`,
  company: sql`c.company = '', lower(c.company), c.id`,
  last_contact: sql`a.last_contact NULLS LAST, c.id`,
  '-last_contact': sql`a.last_contact DESC NULLS LAST, c.id DESC`,
}

function isUnfiltered(filter: ContactFilter): boolean {
  const { search, status, company, position, emailDomain, lastContact } = filter
  return (
    search + company + position + emailDomain === '' &&
    status === null &&
    lastContact.from === null &&
    lastContact.before === null
  )
}

/**
 * One page of the user's contacts. The page's ids are found first, so that mails and meetings are looked up for these
 * rows only.
 */
export async function listContacts(
  db: Queryable,
  userId: number,
  filter: ContactFilter,
  page: { sort: Sort; limit: number; offset: number },
  now: Date,
): Promise<{ rows: ContactRow[]; total: number }> {
  const order = ORDER[page.sort]
  const from = matching(userId, filter, now, page.sort.endsWith('last_contact'))
  const [{ rows }, total] = await Promise.all([
    sql<ContactRow>`
      WITH page AS MATERIALIZED (SELECT c.id ${from} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset})
      ${rowsOfPage(userId, now)}`.execute(db),
    isUnfiltered(filter)
      ? countContacts(db, userId)
      : countMatching(db, matching(userId, filter, now, false)),
  ])
  return { rows, total }
}

async function countMatching(db: Queryable, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total ${from}`.execute(db)
  return rows[0]?.total ?? 0
}

function contactsWithActivity(userId: number, now: Date): RawBuilder<unknown> {
  return sql`
    SELECT c.*, a.last_contact, a.suppressed, ${computedStatus(now)} AS computed_status
    FROM contacts c JOIN contact_activity a
      ON c.user_id = ${userId} AND a.user_id = ${userId} AND a.contact_id = c.id`
}

/**
 * The rows of the ids in `page`, in its order, each looked up by its key. The fence (OFFSET 0) keeps the planner from joining all
 * contacts with all contacts, which it does while a table that has just grown is still counted as empty.
 */
function rowsOfPage(userId: number, now: Date): RawBuilder<unknown> {
  return sql`
    SELECT c.* FROM (SELECT id, row_number() OVER () AS place FROM page) page CROSS JOIN LATERAL (
      ${contactsWithActivity(userId, now)} WHERE c.id = page.id AND a.contact_id = page.id OFFSET 0
    ) c ORDER BY page.place`
}

/** The next contacts that a filter lets through, in the order of their ids. */
export async function contactsAfter(
  db: Queryable,
  userId: number,
  filter: ContactFilter,
  after: { id: number; limit: number },
  now: Date,
): Promise<ContactRow[]> {
  const from = matching(userId, filter, now, false)
  const { rows } = await sql<ContactRow>`
    WITH page AS MATERIALIZED (SELECT c.id ${from} AND c.id > ${after.id} ORDER BY c.id LIMIT ${after.limit})
    ${rowsOfPage(userId, now)}`.execute(db)
  return rows
}

export async function findContact(
  db: Queryable,
  userId: number,
  id: number,
  now: Date,
): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`${contactsWithActivity(userId, now)} WHERE c.id = ${id}`.execute(db)
  return rows[0]
}

/** Adds a contact and gives its id. @throws a unique violation when the address is there already. */
export async function insertContact(
  db: Queryable,
  userId: number,
  fields: ContactFields,
  now: Date,
): Promise<number> {
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

/** Changes the given fields; false when there is no such contact. @throws a unique violation as `insertContact`. */
export async function changeContact(
  db: Queryable,
  userId: number,
  id: number,
  fields: Partial<ContactFields>,
  now: Date,
): Promise<boolean> {
  const key = fields.email === undefined ? {} : { email_key: fields.email.toLowerCase() }
  const { numUpdatedRows } = await db
    .updateTable('contacts')
    .set({ ...fields, ...key, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteContact(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('contacts')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** How many contacts the user has. */
export async function countContacts(db: Queryable, userId: number): Promise<number> {
  const row = await db
    .selectFrom('contact_counts')
    .select('total')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.total ?? 0
}

export type ContactToMail = Pick<
  Selectable<ContactsTable>,
  'id' | 'name' | 'email' | 'email_key' | 'company' | 'position' | 'notes'
>

/** The next `limit` contacts after `afterId` (0 to begin), in the order of their ids, with what a mail is written from. */
export async function contactsToMail(
  db: Queryable,
  userId: number,
  afterId: number,
  limit: number,
): Promise<ContactToMail[]> {
  return db
    .selectFrom('contacts')
    .select(['id', 'name', 'email', 'email_key', 'company', 'position', 'notes'])
    .where('user_id', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Contacts by their ids; those that are gone are missing. */
export async function contactsById(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, ContactToMail>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('contacts')
    .select(['id', 'name', 'email', 'email_key', 'company', 'position', 'notes'])
    .where('user_id', '=', userId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The user's contact with this address, given as it is compared. */
export async function contactByAddress(
  db: Queryable,
  userId: number,
  emailKey: string,
): Promise<{ id: number; name: string } | undefined> {
  return db
    .selectFrom('contacts')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
}
