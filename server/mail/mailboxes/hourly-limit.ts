/** How far another process's clock may be ahead; beyond it the bucket's instant is considered an error. */
const CLOCK_SKEW_MS = 60_000

const HOUR_MS = 3_600_000

/** A bucket as stored in the mailbox's row; one without an instant was never used and is full. */
export type Bucket = { hourly_limit: number; tokens: number; tokens_at: Date | null }

export type Taken = { granted: number; nextAt: Date | null; tokens: number; tokens_at: Date }

/**
 * How many mails may leave at once: the minute's share of the hour, at least one. The refill is reduced by what the
 * burst allows, so that no hour, whenever it begins, exceeds the limit.
 */
function burstOf(limit: number): number {
  return Math.max(1, Math.floor(limit / 60))
}

/**
 * Takes up to `want` tokens at `now`. `nextAt` is when the next one is available, null when all were granted.
 *
 * In any window of an hour at most burst + refill × hour < limit + 1 tokens are granted, that is, never more than the
 * limit.
 */
export function takeFrom(bucket: Bucket, want: number, now: Date): Taken {
  const burst = burstOf(bucket.hourly_limit)
  const perMs = (bucket.hourly_limit + 1 - burst) / HOUR_MS
  const from = sinceOf(bucket.tokens_at, now)
  const elapsed = Math.max(0, now.getTime() - from.getTime())
  const there = bucket.tokens_at === null ? burst : Math.min(burst, bucket.tokens + elapsed * perMs)
  const granted = Math.max(0, Math.min(Math.floor(want), Math.floor(there)))
  const tokens = there - granted
  return {
    granted,
    tokens,
    tokens_at: elapsed > 0 ? now : from,
    nextAt: granted >= want ? null : new Date(now.getTime() + Math.ceil(Math.max(1 - tokens, 0) / perMs)),
  }
}

function sinceOf(at: Date | null, now: Date): Date {
  if (at === null || at.getTime() - now.getTime() > CLOCK_SKEW_MS) return now
  return at
}
