import { type abuse, PATTERNS_MAX } from '#contract/operations/abuse.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { patternsSince } from './patterns-store.ts'
import { REASONS } from './rules.ts'

const DAY_MS = 86_400_000

/** Patterns that were found in the last days. */
export async function listPatterns(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  days: number,
): Promise<ReplyOf<typeof abuse.patterns>> {
  const now = clock.now()
  const rows = await patternsSince(db, new Date(now.getTime() - days * DAY_MS), now, PATTERNS_MAX + 1)
  return {
    patterns: rows.slice(0, PATTERNS_MAX).map((row) => ({
      id: row.id,
      user_id: row.user_id,
      user_email: row.email,
      pattern_type: row.pattern_type,
      severity: row.severity,
      occurrences: row.occurrences,
      first_detected: row.first_detected.toISOString(),
      last_detected: row.last_detected.toISOString(),
      auto_ban_triggered: row.auto_ban_triggered,
      description: row.description,
      risk: row.risk,
      ban_reason: REASONS[row.pattern_type],
      is_banned: !row.is_active,
    })),
    has_more: rows.length > PATTERNS_MAX,
  }
}
