import { type RawBuilder, sql } from 'kysely'
import type { ComputedStatus } from '#contract/crm/contacts.ts'
import type { InstantRange } from './last-contact-range.ts'
import { matchesSearch } from './search-store.ts'
import type { Queryable } from '../../platform/database/handles.ts'

export type ContactFilter = {
  search: string
  /** The user's own status or the computed one; null for all. */
  status: 'prospect' | 'active' | 'inactive' | ComputedStatus | null
  /** A tag's name, normalized for comparison; empty for all. */
  tag: string
  company: string
  position: string
  emailDomain: string
  lastContact: InstantRange
  neverMailed: boolean
  openedInvoice: boolean
  /** Only these; null for all. */
  ids: readonly number[] | null
}

/** A meeting that ended longer ago than this no longer affects a contact's status. */
const MEETING_COUNTS_DAYS = 30
const DAY_MS = 86_400_000

/** Meetings that end after this make a contact's status. */
export function meetingsCountFrom(now: Date): Date {
  return new Date(now.getTime() - MEETING_COUNTS_DAYS * DAY_MS)
}

export function isUnfiltered(filter: ContactFilter): boolean {
  const {
    search,
    status,
    tag,
    company,
    position,
    emailDomain,
    lastContact,
    neverMailed,
    openedInvoice,
    ids,
  } = filter
  return (
    search + tag + company + position + emailDomain === '' &&
    status === null &&
    !neverMailed &&
    !openedInvoice &&
    ids === null &&
    lastContact.from === null &&
    lastContact.before === null
  )
}

const OWN_STATUSES: readonly string[] = ['prospect', 'active', 'inactive']

/**
 * The user's contacts that match a filter, as `FROM … WHERE …`; contacts are `c`. Their standings `s` are joined only
 * when needed.
 */
export async function matching(
  db: Queryable,
  userId: number,
  filter: ContactFilter,
  now: Date,
  needsStanding = false,
): Promise<RawBuilder<unknown>> {
  const { status, lastContact } = filter
  const conditions: RawBuilder<unknown>[] = [sql`c.user_id = ${userId}`]
  if (filter.ids !== null) conditions.push(sql`c.id = ANY(${[...filter.ids]}::bigint[])`)
  if (filter.search !== '') conditions.push(await matchesSearch(db, userId, filter.search))
  if (filter.tag !== '') conditions.push(carries(userId, filter.tag))
  if (filter.company !== '') conditions.push(sql`c.company ILIKE ${containing(filter.company)}`)
  if (filter.position !== '') conditions.push(sql`c.position ILIKE ${containing(filter.position)}`)
  if (filter.emailDomain !== '')
    conditions.push(sql`c.email_key LIKE ${`%${literal(filter.emailDomain.toLowerCase())}`}`)
  const isComputed = status !== null && !OWN_STATUSES.includes(status)
  if (status !== null && !isComputed) conditions.push(sql`c.status = ${status}`)
  if (isComputed) conditions.push(stands(userId, status as ComputedStatus, now))
  if (lastContact.from !== null) conditions.push(sql`s.last_contact >= ${lastContact.from}`)
  if (lastContact.before !== null) conditions.push(sql`s.last_contact < ${lastContact.before}`)
  if (filter.neverMailed) conditions.push(sql`NOT s.mailed`)
  if (filter.openedInvoice) conditions.push(hasOpenedInvoice(userId))
  const hasTimes = lastContact.from !== null || lastContact.before !== null
  const joins =
    needsStanding || isComputed || hasTimes || filter.neverMailed
      ? sql`JOIN contact_statuses s ON s.user_id = ${userId} AND s.contact_id = c.id`
      : sql``
  return sql`FROM contacts c ${joins} WHERE ${sql.join(conditions, sql` AND `)}`
}

/**
 * True for the contacts of one computed status. Meetings come before mails, and only for a while: those few contacts
 * are looked up once, as a list.
 */
function stands(userId: number, status: ComputedStatus, now: Date): RawBuilder<unknown> {
  const meets = sql`ARRAY(SELECT m.contact_id FROM contact_meetings m
    WHERE m.user_id = ${userId} AND m.end_time > ${meetingsCountFrom(now)})`
  return status === 'meeting_scheduled'
    ? sql`c.id = ANY(${meets})`
    : sql`s.status = ${sql.lit(status)} AND c.id <> ALL(${meets})`
}

function carries(userId: number, tag: string): RawBuilder<unknown> {
  return sql`EXISTS (SELECT FROM contact_tags t WHERE t.user_id = ${userId} AND t.contact_id = c.id
    AND t.tag_id = (SELECT id FROM tags WHERE user_id = ${userId} AND name_key = ${tag}))`
}

/** Few contacts have opened an invoice: they are looked up once, as a list. */
function hasOpenedInvoice(userId: number): RawBuilder<unknown> {
  return sql`c.id = ANY(ARRAY(SELECT v.contact_id FROM contact_opened_invoices v WHERE v.user_id = ${userId}))`
}

// Typed text is text, not a pattern.
const literal = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
const containing = (text: string) => `%${literal(text)}%`
