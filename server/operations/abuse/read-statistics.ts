import { type abuse, RISK_ACTS } from '#contract/operations/abuse.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { countAbuse } from './patterns-store.ts'

const RECENT_MS = 7 * 86_400_000

/** Abuse in figures. */
export async function readStatistics({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<ReplyOf<typeof abuse.statistics>> {
  const now = clock.now()
  const counts = await countAbuse(db, {
    now,
    high: RISK_ACTS.high,
    notifiedSince: new Date(now.getTime() - RECENT_MS),
  })
  return {
    active_bans: counts.bans,
    total_abuse_patterns: counts.patterns,
    high_risk_users: counts.highRisk,
    recent_notifications: counts.notifications,
  }
}
