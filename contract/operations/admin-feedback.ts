import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { CONTACT_METHODS, REASONS } from './leaving.ts'
import { countUpTo, id, instant } from '../platform/values.ts'

/** Rows of a page of the feedback table. */
export const FEEDBACK_PER_PAGE = 50
/** Rows of a page at most; the export asks for so many at once. */
export const FEEDBACK_PAGE_MAX = 500
export const RATINGS_CROSSED = 'The lowest rating must not be above the highest.'

const COLUMNS = [
  'id',
  'email',
  'full_name',
  'company_name',
  'pricing_tier',
  'deleted_at',
  'feedback_category',
  'feedback_rating',
  'contact_consent',
  'account_age_days',
] as const
export type FeedbackSortColumn = (typeof COLUMNS)[number]
/** The column that a list of feedback is ordered by; with "-" in front, the last first. Nobody comes last either way. */
export const FEEDBACK_SORTS = ['newest', ...COLUMNS, ...COLUMNS.map((name) => `-${name}` as const)] as const
export type FeedbackSort = (typeof FEEDBACK_SORTS)[number]

const count = z.number()

/** Departure feedback with the account that it is about. Of a removed account nothing tells whose it was. */
export const feedbackRow = z.object({
  id,
  email: z.nullable(z.string()),
  full_name: z.nullable(z.string()),
  company_name: z.nullable(z.string()),
  pricing_tier: z.string(),
  /** Null where the account lives: it was kept, or restored. */
  deleted_at: z.nullable(instant),
  feedback_category: z.enum(REASONS),
  feedback_custom_category: z.string(),
  feedback_rating: z.number(),
  feedback_details: z.string(),
  improvements_suggested: z.string(),
  competitor_switched_to: z.string(),
  contact_consent: z.boolean(),
  contact_method: z.nullable(z.enum(CONTACT_METHODS)),
  account_age_days: count,
  given_at: instant,
})
export type FeedbackRow = z.infer<typeof feedbackRow>

const rating = z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(5)))

export const adminFeedback = {
  details: endpoint({
    method: 'GET',
    path: '/admin/feedback-details',
    access: 'admin',
    summary: 'Departure feedback, the newest first unless another order is asked for',
    query: z
      .object({
        page: countUpTo(1_000_000, 1),
        limit: countUpTo(FEEDBACK_PAGE_MAX, FEEDBACK_PER_PAGE),
        category: z.optional(z.enum(REASONS)),
        min_rating: rating,
        max_rating: rating,
        sort: z._default(z.enum(FEEDBACK_SORTS), 'newest'),
      })
      .check(
        z.refine(({ min_rating: min = 1, max_rating: max = 5 }) => min <= max, {
          error: RATINGS_CROSSED,
          path: ['min_rating'],
        }),
      ),
    reply: z.object({ feedback_data: z.array(feedbackRow), total: count, total_pages: count }),
  }),
  analytics: endpoint({
    method: 'GET',
    path: '/admin/feedback-analytics',
    access: 'admin',
    summary: 'Departure feedback in figures: reasons, ratings, and who may be contacted',
    reply: z.object({
      /** Only reasons that somebody gave, the most frequent first. */
      category_analysis: z.array(z.object({ category: z.enum(REASONS), count })),
      /** All ratings, 1 to 5. */
      rating_distribution: z.array(z.object({ rating: z.number(), count })),
      contact_consent_analysis: z.array(z.object({ consent: z.boolean(), count })),
    }),
  }),
}
