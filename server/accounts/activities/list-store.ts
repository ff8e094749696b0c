import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { rowsOf } from '../../platform/database/rows.ts'

export type ListedActivity = {
  id: number
  user_id: number | null
  user_email: string | null
  activity_type: string
  description: string
  risk_score: number
  ip_address: string | null
  created_at: Date
  erased_at: Date | null
}

export type ActivityFilter = {
  userId: number | null
  type: string | null
  /** For each typed word those that it may stand for: every row has one of each. */
  words: readonly (readonly string[])[]
  minRisk: number
  from: Date | null
  to: Date | null
}

/** Indexes exist for these scores; the narrowest that holds a score is used. */
const INDEXED_SCORES = [80, 50, 20]

/** Activities that match, newest first. */
export async function listActivities(
  tx: Tx,
  filter: ActivityFilter,
  page: { limit: number; offset: number },
) {
  // Whether a word is rare or in every second row decides which index is good: a plan for any word would be bad for most.
  await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx)
  const { userId, type, words, minRisk, from, to } = filter
  const indexed = INDEXED_SCORES.find((score) => score <= minRisk)
  const wanted: RawBuilder<unknown>[] = [sql`true`]
  if (userId !== null) wanted.push(sql`user_id = ${userId}`)
  if (type !== null) wanted.push(sql`activity_type = ${type}`)
  for (const each of words) wanted.push(sql`words && ${[...each]}::text[]`)
  if (indexed !== undefined) wanted.push(sql`risk_score >= ${sql.lit(indexed)}`)
  if (minRisk > 0) wanted.push(sql`risk_score >= ${minRisk}`)
  if (from !== null) wanted.push(sql`created_at >= ${from}`)
  if (to !== null) wanted.push(sql`created_at < ${to}`)
  return rowsOf<ListedActivity>(tx)`
    SELECT a.*, u.email AS user_email FROM (
      SELECT id, user_id, activity_type, description, risk_score, ip_address, created_at, erased_at FROM activities
      WHERE ${sql.join(wanted, sql` AND `)}
      ORDER BY created_at DESC, id DESC LIMIT ${page.limit} OFFSET ${page.offset}) a
    LEFT JOIN users u ON u.id = a.user_id
    ORDER BY a.created_at DESC, a.id DESC`
}

/** The user with an address or a user name, in lower case. */
export async function userNamed(db: Queryable, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((is) => is.or([is('email_key', '=', name), is('username_key', '=', name)]))
    .orderBy((is) => is('email_key', '=', name), 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
