import type { adminAnalytics } from '#contract/operations/admin-analytics.ts'
import type { GivenReply } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { type HouseDay, houseDays, houseTotals } from './analytics-store.ts'

/** More days than this are shown by the week. */
const DAYS_SHOWN = 90
const WEEK = 7
const DAY_MS = 86_400_000
/** Days are counted from 1970-01-01, a Thursday. */
const SINCE_MONDAY = 3

/** What happened on this Howl on each of the last days in UTC, or in each week that they belong to; oldest first. */
export async function readAnalytics(
  { db, clock }: Context,
  asked: number,
): Promise<GivenReply<typeof adminAnalytics.read>> {
  const each = asked <= DAYS_SHOWN ? 1 : WEEK
  const today = Math.floor(clock.now().getTime() / DAY_MS)
  // A week begins on Monday, and none of the days asked for is left out.
  const first = today - asked + 1 - ((today - asked + 1 + SINCE_MONDAY) % each)
  const [rows, { since, removed }] = await Promise.all([houseDays(db, dayAt(first)), houseTotals(db)])
  const counted = new Map(rows.map((row) => [row.day.getTime(), row]))
  const periods = Array.from({ length: Math.ceil((today - first + 1) / each) }, (_, at) => {
    const from = first + at * each
    const days = Array.from({ length: Math.min(each, today - from + 1) }, (__, day) => dayAt(from + day))
    const active = days.filter((day) => since !== null && day >= since)
    const sum = (of: readonly Date[], what: keyof Omit<HouseDay, 'day'>) =>
      of.reduce((total, day) => total + (counted.get(day.getTime())?.[what] ?? 0), 0)
    return {
      from: dayAt(from).toISOString().slice(0, 10),
      signups: sum(days, 'opened'),
      deletions: sum(days, 'deleted'),
      emails_sent: sum(days, 'sent'),
      active_users: active.length === 0 ? null : Math.round((sum(active, 'seen') / active.length) * 10) / 10,
    }
  })
  return { by: each === 1 ? 'day' : 'week', periods, active_users_since: since, removed_users: removed }
}

const dayAt = (day: number) => new Date(day * DAY_MS)
