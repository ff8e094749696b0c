import type { admin } from '#contract/operations/admin.ts'
import type { GivenReply } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { countFeedback, countUsers, newestDeletions, newestFeedback, newestUsers } from './store.ts'

/** What the first page of the administrator area shows. */
export async function readStats(context: Context, caller: Caller): Promise<GivenReply<typeof admin.stats>> {
  const { db, clock } = context
  const [{ counts: users, tiers }, newest, deletions, feedback, details] = await Promise.all([
    countUsers(db, clock.now(), caller.timeZone),
    newestUsers(db),
    newestDeletions(db),
    countFeedback(db),
    newestFeedback(db),
  ])
  return {
    user_stats: {
      total_users: users.total,
      active_users: users.active,
      deleted_users: users.deleted,
      admin_users: users.admins,
      new_signups_today: users.today,
      new_signups_week: users.week,
      new_signups_month: users.month,
    },
    tier_distribution: tiers,
    recent_users: newest.map((user) => ({ ...user, full_name: user.name })),
    recent_deletions: deletions.map((user) => ({
      email: user.email,
      full_name: user.name,
      company_name: user.company_name,
      deleted_at: user.deleted_at ?? clock.now(),
      reason: user.deletion_reason,
      category: user.category,
    })),
    deletion_reasons: feedback.categories
      .filter(({ left }) => left > 0)
      .map(({ category, left }) => ({ reason: category, count: left }))
      .toSorted((one, other) => other.count - one.count),
    feedback_stats: {
      categories: feedback.categories.map(({ category, count }) => ({ category, count })),
      users_with_feedback: feedback.given,
      average_rating: feedback.rating === null ? null : Math.round(feedback.rating * 10) / 10,
      contact_consent_rate: feedback.consent === null ? null : Math.round(feedback.consent * 100),
    },
    feedback_details: details,
    admin_user: { full_name: caller.name, email: caller.email },
  }
}
