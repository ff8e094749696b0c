import { type abuse, PATTERNS_MAX, RISK_ACTS } from '#contract/operations/abuse.ts'
import type { GivenReply, ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { countAbuse, patternsSince } from './patterns-store.ts'
import { REASONS } from './rules.ts'

const DAY_MS = 86_400_000

/** Patterns that were found in the last days. */
export async function listPatterns(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  days: number,
): Promise<GivenReply<typeof abuse.patterns>> {
  const now = clock.now()
  const rows = await patternsSince(db, new Date(now.getTime() - days * DAY_MS), now, PATTERNS_MAX + 1)
  return {
    patterns: rows.slice(0, PATTERNS_MAX).map((row) => ({
      ...row,
      user_email: row.email,
      ban_reason: REASONS[row.pattern_type],
      is_banned: !row.is_active,
    })),
    has_more: rows.length > PATTERNS_MAX,
  }
}

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
