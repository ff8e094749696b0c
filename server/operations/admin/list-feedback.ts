import type { adminFeedback } from '#contract/operations/admin-feedback.ts'
import type { GivenReply, QueryOf, ReplyOf } from '#contract/platform/endpoint.ts'
import { RATINGS } from '#contract/operations/leaving.ts'
import type { Context } from '../../platform/context.ts'
import { countFeedbackBy, pageOfFeedback } from './feedback-store.ts'

/** One page of departure feedback. */
export async function listFeedback(
  { db }: Context,
  query: NonNullable<QueryOf<typeof adminFeedback.details>>,
): Promise<GivenReply<typeof adminFeedback.details>> {
  const { page, limit, sort, category = null, min_rating: min = 1, max_rating: max = 5 } = query
  const { rows, total } = await pageOfFeedback(db, { category, min, max }, sort, {
    limit,
    offset: (page - 1) * limit,
  })
  return { feedback_data: rows, total, total_pages: Math.max(1, Math.ceil(total / limit)) }
}

/** All departure feedback in figures. */
export async function analyseFeedback({ db }: Context): Promise<ReplyOf<typeof adminFeedback.analytics>> {
  const counts = await countFeedbackBy(db)
  const sumOf = (rows: typeof counts) => rows.reduce((sum, { count }) => sum + count, 0)
  const categories = [...new Set(counts.map(({ category }) => category))]
  return {
    category_analysis: categories
      .map((category) => ({ category, count: sumOf(counts.filter((row) => row.category === category)) }))
      .toSorted((one, other) => other.count - one.count || one.category.localeCompare(other.category)),
    rating_distribution: RATINGS.map((rating) => ({
      rating,
      count: sumOf(counts.filter((row) => row.rating === rating)),
    })),
    contact_consent_analysis: [true, false].map((consent) => ({
      consent,
      count: sumOf(counts.filter((row) => row.consent === consent)),
    })),
  }
}
