import type { adminAnalytics, AnalyticsPeriod } from '#contract/operations/admin-analytics.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { lastDays } from '../../overview/dashboard/dashboard.ts'
import {
  activeUsers,
  activeUsersSince,
  countRemoved,
  houseActivity,
  type HouseActivity,
} from './analytics-store.ts'

/** More days than this are shown by the week. */
const DAYS_SHOWN = 90
const WEEK = 7
const DAY_MS = 86_400_000

/** What happened on this Howl on each of the last days of a time zone, or in each week that they belong to; oldest first. */
export async function readAnalytics(
  { db, clock }: Context,
  { timeZone, days: count }: { timeZone: string; days: number },
): Promise<ReplyOf<typeof adminAnalytics.read>> {
  const now = clock.now()
  const isByDay = count <= DAYS_SHOWN
  const { days, bounds } = lastDays(now, timeZone, isByDay ? count : wholeWeeks(now, timeZone, count))
  const each = isByDay ? 1 : WEEK
  // The last bound closes the period that has begun.
  const starts = bounds.filter((_, at) => at % each === 0 || at === bounds.length - 1)
  const [activity, active, since, removed] = await Promise.all([
    houseActivity(db, starts),
    activeUsers(db, bounds),
    activeUsersSince(db),
    countRemoved(db),
  ])
  return {
    by: isByDay ? 'day' : 'week',
    periods: activity.map((counted, at) => {
      const from = at * each
      const known = bounds
        .slice(from + 1, from + each + 1)
        .flatMap((end, day) => (since !== null && end > since ? [active[from + day] ?? 0] : []))
      return present(days[from] ?? '', counted, known)
    }),
    active_users_since: since?.toISOString() ?? null,
    removed_users: removed,
  }
}

/** So many days that the first is a Monday and none of those asked for is left out. */
function wholeWeeks(now: Date, timeZone: string, atLeast: number): number {
  const [today = ''] = lastDays(now, timeZone, 1).days
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (atLeast - 1) * DAY_MS)
  // Sunday is 0 here, and the last day of a week.
  return atLeast + ((first.getUTCDay() + 6) % WEEK)
}

function present(from: string, { opened, deleted, sent }: HouseActivity, active: number[]): AnalyticsPeriod {
  const mean = active.reduce((sum, users) => sum + users, 0) / active.length
  return {
    from,
    signups: opened,
    deletions: deleted,
    emails_sent: sent,
    active_users: active.length === 0 ? null : Math.round(mean * 10) / 10,
  }
}
