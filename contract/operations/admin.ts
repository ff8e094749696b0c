import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { REASONS } from './leaving.ts'
import { countUpTo, id, instant, line, text } from '../platform/values.ts'

export const TIERS = ['free', 'starter', 'professional', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

/** Rows of a page of the list of users. */
export const USERS_PER_PAGE = 20
export const USER_SEARCH_MAX = 120
export const USER_STATUSES = ['active', 'inactive', 'deleted'] as const
export type UserStatus = (typeof USER_STATUSES)[number]
export const CREDITS_MAX = 100_000
export const DELETION_REASON_MAX = 500

const page = countUpTo(1_000_000, 1)
const count = z.number()
const ok = z.object({ ok: z.boolean() })

const userRow = z.object({
  id,
  email: z.string(),
  full_name: z.string(),
  company_name: z.string(),
  pricing_tier: z.string(),
  is_active: z.boolean(),
  is_admin: z.boolean(),
  created_at: instant,
  deleted_at: z.nullable(instant),
  available_credits: count,
})
export type AdminUser = z.infer<typeof userRow>

const stats = z.object({
  user_stats: z.object({
    total_users: count,
    active_users: count,
    deleted_users: count,
    admin_users: count,
    /** Since midnight, in seven days and in thirty days with today, in the caller's time zone. */
    new_signups_today: count,
    new_signups_week: count,
    new_signups_month: count,
  }),
  tier_distribution: z.array(z.object({ tier: z.string(), count })),
  recent_users: z.array(
    z.object({
      email: z.string(),
      full_name: z.string(),
      company_name: z.string(),
      created_at: instant,
      is_active: z.boolean(),
      is_admin: z.boolean(),
    }),
  ),
  recent_deletions: z.array(
    z.object({
      email: z.string(),
      full_name: z.string(),
      company_name: z.string(),
      deleted_at: instant,
      /** What an administrator said, perhaps nothing; null where the owner deleted the account. */
      reason: z.nullable(z.string()),
      /** What the owner chose in the feedback. */
      category: z.nullable(z.enum(REASONS)),
    }),
  ),
  /** What those who have left chose, the most frequent first. */
  deletion_reasons: z.array(z.object({ reason: z.enum(REASONS), count })),
  feedback_stats: z.object({
    categories: z.array(z.object({ category: z.enum(REASONS), count })),
    users_with_feedback: count,
    /** 1 to 5; null without feedback. */
    average_rating: z.nullable(z.number()),
    /** Whole percent of those who gave feedback; null without. */
    contact_consent_rate: z.nullable(z.number()),
  }),
  feedback_details: z.array(
    z.object({
      id,
      /** Null once the account was removed. */
      email: z.nullable(z.string()),
      category: z.enum(REASONS),
      custom_category: z.string(),
      rating: z.number(),
      details: z.string(),
      given_at: instant,
    }),
  ),
  admin_user: z.object({ full_name: z.string(), email: z.string() }),
})

const params = z.object({ id })

export const admin = {
  stats: endpoint({
    method: 'GET',
    path: '/admin/stats',
    access: 'admin',
    summary: 'Accounts, sign-ups, plans, deletions and feedback in figures',
    reply: stats,
  }),
  users: endpoint({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    summary: 'Accounts, the newest first',
    query: z.object({
      page,
      limit: countUpTo(100, USERS_PER_PAGE),
      include_deleted: z._default(z.enum(['true', 'false']), 'false'),
      /** Beginnings of words of the name, the address, the user name and the company; or an id. */
      search: z.optional(line(USER_SEARCH_MAX)),
      /** `deleted` finds deleted accounts without `include_deleted` too. */
      status: z.optional(z.enum(USER_STATUSES)),
    }),
    reply: z.object({ users: z.array(userRow), total: count, total_pages: count }),
  }),
  changeUser: endpoint({
    method: 'PUT',
    path: '/admin/users/:id',
    access: 'admin',
    summary: 'Put a user on a plan, or make them an administrator or none',
    params,
    body: z.object({
      pricing_tier: z.optional(z.enum(TIERS, { error: 'There is no such plan' })),
      is_admin: z.optional(z.boolean()),
    }),
    reply: userRow,
  }),
  changeCredits: endpoint({
    method: 'POST',
    path: '/admin/users/:id/credits',
    access: 'admin',
    summary: 'Give a user credits, or take some away',
    params,
    body: z.object({
      /** Negative to take credits away. */
      amount: z.number('Please enter a whole number').check(
        z.int('Please enter a whole number'),
        z.gte(-CREDITS_MAX, `At most ${CREDITS_MAX} credits at once`),
        z.lte(CREDITS_MAX, `At most ${CREDITS_MAX} credits at once`),
        z.refine((amount) => amount !== 0, 'Please enter a number other than 0'),
      ),
    }),
    reply: z.object({ available_credits: count }),
  }),
  deleteUser: endpoint({
    method: 'POST',
    path: '/admin/users/:id/delete',
    access: 'admin',
    summary: 'Delete an account; it can be restored for 30 days',
    params,
    body: z.object({
      user_id: z.optional(id),
      /** The account's owner reads it. */
      reason: z._default(text(DELETION_REASON_MAX), ''),
    }),
    reply: ok,
  }),
  restoreUser: endpoint({
    method: 'POST',
    path: '/admin/users/:id/restore',
    access: 'admin',
    summary: 'Restore a deleted account as it was; its mail stays paused until its owner resumes it',
    params,
    reply: ok,
  }),
}
