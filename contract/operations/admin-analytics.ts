import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { instant, timeZone } from '../platform/values.ts'

/** How far back the charts of the administrator area look, in days; a year is shown by the week. */
export const ANALYTICS_DAYS = [30, 90, 365] as const

const count = z.number()

/** One day in UTC, or one week from Monday on. */
export const analyticsPeriod = z.object({
  /** `2026-03-29`: the day, or the week's Monday. */
  from: z.string(),
  /** Accounts opened; those that were deleted or removed since count too. */
  signups: count,
  /** Accounts deleted and not restored since. */
  deletions: count,
  emails_sent: count,
  /** Accounts that somebody used on that day; of a week, how many a day on average. Null before they were counted. */
  active_users: z.nullable(count),
})
export type AnalyticsPeriod = z.infer<typeof analyticsPeriod>

export const adminAnalytics = {
  read: endpoint({
    method: 'GET',
    path: '/admin/analytics',
    access: 'admin',
    summary:
      'Sign-ups, deletions, active users and mails sent by this Howl, by the day or the week, oldest first',
    query: z.object({
      days: z._default(z.enum(ANALYTICS_DAYS.map(String) as ['30', '90', '365']), '30'),
      /** Accepted, and without effect: the days are those in UTC. */
      time_zone: z.optional(timeZone),
    }),
    reply: z.object({
      by: z.enum(['day', 'week']),
      periods: z.array(analyticsPeriod),
      /** Active users are counted since then; null before anybody was there. */
      active_users_since: z.nullable(instant),
      /** Accounts that were removed for good, since the first day of this Howl. */
      removed_users: count,
    }),
  }),
}
