import { type RawBuilder, sql } from 'kysely'
import type { FeedbackRow, FeedbackSort, FeedbackSortColumn } from '#contract/operations/admin-feedback.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import type { Reason } from '#contract/operations/leaving.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { rowsOf } from '../../platform/database/rows.ts'

type FeedbackFilter = { category: Reason | null; min: number; max: number }

const ORDERS: Record<FeedbackSortColumn, RawBuilder<unknown>> = {
  id: sql`f.id`,
  email: sql`u.email_key`,
  full_name: sql`lower(u.name)`,
  company_name: sql`lower(nullif(u.company_name, ''))`,
  pricing_tier: sql`f.pricing_tier`,
  deleted_at: sql`f.deleted_at`,
  feedback_category: sql`f.category`,
  feedback_rating: sql`f.rating`,
  contact_consent: sql`f.contact_consent`,
  account_age_days: sql`f.account_age_days`,
}
/** What is ordered by the account; the others need not look at it. */
const OF_ACCOUNT = new Set<string>(['email', 'full_name', 'company_name'])

/** One page of feedback, ordered over all pages. Which rows they are is found in an index alone. */
export async function pageOfFeedback(
  db: Queryable,
  { category, min, max }: FeedbackFilter,
  sort: FeedbackSort,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Given<FeedbackRow>[]; total: number }> {
  const column = sort.replace(/^-/, '') as FeedbackSortColumn | 'newest'
  const way = sort.startsWith('-') ? sql`DESC NULLS LAST` : sql`ASC NULLS LAST`
  const order =
    column === 'newest' ? sql`f.given_at DESC, f.id DESC` : sql`${ORDERS[column]} ${way}, f.id DESC`
  const accounts = OF_ACCOUNT.has(column) ? sql`LEFT JOIN users u ON u.id = f.user_id` : sql``
  const wanted: RawBuilder<unknown>[] = [sql`true`]
  if (category !== null) wanted.push(sql`f.category = ${category}`)
  if (min > 1) wanted.push(sql`f.rating >= ${min}`)
  if (max < 5) wanted.push(sql`f.rating <= ${max}`)
  const where = sql.join(wanted, sql` AND `)
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<Given<FeedbackRow>>`
      SELECT f.id, u.email, u.name AS full_name, u.company_name, f.pricing_tier, f.deleted_at,
        f.category AS feedback_category, f.custom_category AS feedback_custom_category, f.rating AS feedback_rating,
        f.details AS feedback_details, f.improvements AS improvements_suggested, f.competitor AS competitor_switched_to,
        f.contact_consent, f.contact_method, f.account_age_days, f.given_at
      FROM (
        SELECT id, row_number() OVER () AS place FROM (
          SELECT f.id FROM departure_feedback f ${accounts} WHERE ${where} ORDER BY ${order}
          LIMIT ${limit} OFFSET ${offset}) ordered
      ) p JOIN departure_feedback f USING (id) LEFT JOIN users u ON u.id = f.user_id ORDER BY p.place`.execute(
      db,
    ),
    sql<{ total: number }>`
      SELECT count(*)::int AS total FROM departure_feedback f WHERE ${where}`.execute(db),
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

type FeedbackCount = { category: Reason; rating: number; consent: boolean; count: number }

/** How often feedback of each kind was given. One pass over an index. */
export async function countFeedbackBy(db: Queryable) {
  return rowsOf<FeedbackCount>(db)`
    SELECT category, rating, contact_consent AS consent, count(*)::int AS count
    FROM departure_feedback GROUP BY 1, 2, 3`
}
