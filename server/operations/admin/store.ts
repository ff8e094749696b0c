import { type RawBuilder, sql } from 'kysely'
import type { UserStatus } from '#contract/operations/admin.ts'
import type { Reason } from '#contract/operations/leaving.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { onlyRowOf, rowsOf } from '../../platform/database/rows.ts'

/** Rows of the short lists on the first page. */
const RECENT = 10

export type UserCounts = {
  total: number
  active: number
  deleted: number
  admins: number
  today: number
  week: number
  month: number
}

/** Accounts by their state, and by the days on which they were opened in a time zone; live ones by plan. */
export async function countUsers(
  db: Queryable,
  now: Date,
  timeZone: string,
): Promise<{ counts: UserCounts; tiers: { tier: string; count: number }[] }> {
  const [tiers, opened] = await Promise.all([countTiers(db), countOpened(db, now, timeZone)])
  const sum = (field: 'total' | 'live' | 'active') => tiers.reduce((total, row) => total + row[field], 0)
  return {
    counts: {
      total: sum('total'),
      active: sum('active'),
      deleted: sum('total') - sum('live'),
      ...opened,
    },
    tiers: tiers
      .filter(({ live }) => live > 0)
      .map(({ tier, live }) => ({ tier, count: live }))
      .toSorted((one, other) => other.count - one.count || (one.tier < other.tier ? -1 : 1)),
  }
}

/** Counted as accounts change: no account is read here. */
async function countTiers(db: Queryable) {
  return rowsOf<{ tier: string; total: number; live: number; active: number }>(db)`
    SELECT tier, sum(accounts)::int AS total, coalesce(sum(accounts) FILTER (WHERE state <> 'deleted'), 0)::int AS live,
      coalesce(sum(accounts) FILTER (WHERE state = 'active'), 0)::int AS active
    FROM account_counts GROUP BY 1`
}

/** Administrators, and accounts opened today, in the last 7 days and in the last 30. */
async function countOpened(db: Queryable, now: Date, timeZone: string) {
  // As a query of its own it is worked out once, not for each row.
  const midnight = sql`(SELECT date_trunc('day', ${now}::timestamptz, ${timeZone}))`
  return onlyRowOf<Pick<UserCounts, 'admins' | 'today' | 'week' | 'month'>>(db)`
    SELECT (SELECT count(*)::int FROM users WHERE is_admin AND deleted_at IS NULL AND NOT is_system) AS admins,
      count(*) FILTER (WHERE created_at >= ${midnight})::int AS today,
      count(*) FILTER (WHERE created_at >= ${midnight} - interval '6 days')::int AS week,
      count(*)::int AS month
    FROM users WHERE NOT is_system AND created_at >= ${midnight} - interval '29 days'`
}

/** Accounts opened last that still live. */
export async function newestUsers(db: Queryable) {
  return db
    .selectFrom('users')
    .select(['email', 'name', 'company_name', 'created_at', 'is_active', 'is_admin'])
    .where('is_system', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(RECENT)
    .execute()
}

/** Accounts deleted last that can still be seen. */
export async function newestDeletions(db: Queryable) {
  return db
    .selectFrom('users')
    .leftJoin('departure_feedback', 'departure_feedback.user_id', 'users.id')
    .select([
      'users.email',
      'users.name',
      'users.company_name',
      'users.deleted_at',
      'users.deletion_reason',
      'departure_feedback.category',
    ])
    .where('users.is_system', '=', false)
    .where('users.deleted_at', 'is not', null)
    .orderBy('users.deleted_at', 'desc')
    .limit(RECENT)
    .execute()
}

export type FeedbackCounts = {
  given: number
  rating: number | null
  consent: number | null
  categories: { category: Reason; count: number; left: number }[]
}

/** Departure feedback in figures; `left` counts those whose account is deleted. */
export async function countFeedback(db: Queryable): Promise<FeedbackCounts> {
  const { rows } = await sql<{
    category: Reason
    count: number
    left: number
    ratings: number
    agreed: number
  }>`
    SELECT category, count(*)::int AS count, count(deleted_at)::int AS left,
      sum(rating)::int AS ratings, count(*) FILTER (WHERE contact_consent)::int AS agreed
    FROM departure_feedback GROUP BY 1 ORDER BY 2 DESC, 1`.execute(db)
  const sum = (field: 'count' | 'ratings' | 'agreed') => rows.reduce((total, row) => total + row[field], 0)
  const given = sum('count')
  return {
    given,
    rating: given === 0 ? null : sum('ratings') / given,
    consent: given === 0 ? null : sum('agreed') / given,
    categories: rows.map(({ category, count, left }) => ({ category, count, left })),
  }
}

export async function newestFeedback(db: Queryable) {
  return db
    .selectFrom('departure_feedback')
    .leftJoin('users', 'users.id', 'departure_feedback.user_id')
    .select([
      'departure_feedback.id',
      'users.email',
      'departure_feedback.category',
      'departure_feedback.custom_category',
      'departure_feedback.rating',
      'departure_feedback.details',
      'departure_feedback.given_at',
    ])
    .orderBy('departure_feedback.given_at', 'desc')
    .orderBy('departure_feedback.id', 'desc')
    .limit(RECENT)
    .execute()
}

export type ListedUser = {
  id: number
  email: string
  name: string
  company_name: string
  pricing_tier: string
  is_active: boolean
  is_admin: boolean
  created_at: Date
  deleted_at: Date | null
}

type UserFilter = { includeDeleted: boolean; status: UserStatus | null; search: string }

/** One page of accounts, the newest first. Pages before it are passed over in the index alone. */
export async function pageOfUsers(
  db: Queryable,
  filter: UserFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ users: ListedUser[]; total: number }> {
  const counted = sql.join([sql`NOT is_system`, ...conditionsOf(filter)], sql` AND `)
  const { rows: users } = await sql<ListedUser>`
    SELECT u.id, u.email, u.name, u.company_name, u.pricing_tier, u.is_active, u.is_admin, u.created_at, u.deleted_at
    FROM users u JOIN (
      SELECT id FROM users WHERE ${counted} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}
    ) p USING (id) ORDER BY u.created_at DESC, u.id DESC`.execute(db)
  const { rows } = await (
    filter.search === ''
      ? sql<{ total: number }>`
        SELECT coalesce(sum(accounts), 0)::int AS total FROM account_counts WHERE state = ANY(${statesOf(filter)})`
      : sql<{ total: number }>`SELECT count(*)::int AS total FROM users WHERE ${counted}`
  ).execute(db)
  return { users, total: rows[0]?.total ?? 0 }
}

function statesOf({ includeDeleted, status }: UserFilter): UserStatus[] {
  if (status !== null) return [status]
  return includeDeleted ? ['active', 'inactive', 'deleted'] : ['active', 'inactive']
}

const STATUS = {
  active: sql`deleted_at IS NULL AND is_active`,
  inactive: sql`deleted_at IS NULL AND NOT is_active`,
  deleted: sql`deleted_at IS NOT NULL`,
}
/** What divides words in the index of users. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~]+/
const WORDS_MAX = 6

function conditionsOf({ includeDeleted, status, search }: UserFilter): RawBuilder<unknown>[] {
  const wanted: RawBuilder<unknown>[] = []
  if (status !== null) wanted.push(STATUS[status])
  else if (!includeDeleted) wanted.push(sql`deleted_at IS NULL`)
  if (search === '') return wanted
  const words = search.toLowerCase().split(BETWEEN_WORDS).filter(Boolean).slice(0, WORDS_MAX)
  // Of signs alone nothing is found.
  if (words.length === 0) return [...wanted, sql`false`]
  const typed = words.map((word) => `'${word}':*`).join(' & ')
  const named = sql`user_words(name, email, username, company_name) @@ ${typed}::tsquery`
  return [...wanted, /^\d{1,15}$/.test(search) ? sql`(${named} OR id = ${Number(search)})` : named]
}

/** An account, also a deleted one; not the one that system mail is sent from. */
export async function findListedUser(db: Queryable, userId: number): Promise<ListedUser | undefined> {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'name',
      'company_name',
      'pricing_tier',
      'is_active',
      'is_admin',
      'created_at',
      'deleted_at',
    ])
    .where('id', '=', userId)
    .where('is_system', '=', false)
    .executeTakeFirst()
}
