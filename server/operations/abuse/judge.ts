import { HALF_LIFE_DAYS, type Level, type Rule } from './rules.ts'

const DAY_MS = 86_400_000
/** What goes on is found anew at most so often: by what a day has brought, not by slices of it. */
const AGAIN_AFTER_MS = DAY_MS

/** A pattern that a rule has found with a user before. */
export type KnownPattern = { severity: number; last_detected: Date; score: number }

export type Verdict = { severity: number; score: number; isNew: boolean; seen: string }

/** What a score of `at` is worth now. */
export function decayed(score: number, at: Date, now: Date): number {
  return score * 0.5 ** (Math.max(0, now.getTime() - at.getTime()) / (HALF_LIFE_DAYS * DAY_MS))
}

/**
 * What a rule finds. What it has found once does not count again: the same pattern is found anew when it becomes more severe,
 * or by what has happened since, a day later at the earliest.
 *
 * @param pardonedAt nothing before counts, nor what was found before: the user's last ban ended then
 * @returns null when there is nothing new
 */
export function judge<Facts>(
  rule: Rule<Facts>,
  facts: Facts,
  { known, pardonedAt, now }: { known: KnownPattern | undefined; pardonedAt: Date | null; now: Date },
): Verdict | null {
  const begin = new Date(now.getTime() - rule.windowDays * DAY_MS)
  const since = pardonedAt !== null && pardonedAt > begin ? pardonedAt : begin
  const level = levelOf(rule, rule.measure(facts, since))
  if (level === undefined) return null
  const isPardoned = known !== undefined && pardonedAt !== null && known.last_detected <= pardonedAt
  const before = known === undefined || isPardoned ? 0 : decayed(known.score, known.last_detected, now)
  if (known === undefined || known.last_detected <= since)
    return {
      severity: level.severity,
      score: plus(before, level.points, level),
      isNew: true,
      seen: rule.seen(facts, since),
    }
  if (level.severity > known.severity) {
    const counted = rule.levels.find(({ severity }) => severity === known.severity)?.points ?? 0
    return {
      severity: level.severity,
      score: Math.max(level.points, plus(before, level.points - counted, level)),
      isNew: false,
      seen: rule.seen(facts, since),
    }
  }
  if (now.getTime() - known.last_detected.getTime() < AGAIN_AFTER_MS) return null
  const fresh = levelOf(rule, rule.measure(facts, known.last_detected))
  if (fresh === undefined) return null
  return {
    severity: Math.max(known.severity, fresh.severity),
    score: plus(before, fresh.points, fresh),
    isNew: true,
    seen: rule.seen(facts, known.last_detected),
  }
}

function levelOf<Facts>(rule: Rule<Facts>, measure: number): Level | undefined {
  return rule.levels.findLast(({ from }) => measure >= from)
}

/** What a mild finding may come to in the long run takes nothing away from a worse one before. */
function plus(before: number, points: number, { most }: Level): number {
  return Math.max(before, Math.min(most, before + points))
}
