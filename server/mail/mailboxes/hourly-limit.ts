import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute } from '../../platform/database/rows.ts'
import { changeMailbox, lockBucket, mailbox } from './store.ts'

/** How far another process's clock may be ahead; beyond it the bucket's instant is considered an error. */
const CLOCK_SKEW_MS = 60_000

const HOUR_MS = 3_600_000

/** A bucket as stored in the mailbox's row; one without an instant was never used and is full. */
export type Bucket = { hourly_limit: number; tokens: number; tokens_at: Date | null }

type Taken = { granted: number; nextAt: Date | null; tokens: number; tokens_at: Date }

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

/**
 * Takes up to `want` tokens of the hourly limit for mails about to be sent. Without a limit everything is granted;
 * without the mailbox nothing is. `nextAt` says when the next token is available. The row stays locked until the
 * transaction ends, so two workers never spend the same token.
 */
export async function takeTokens(
  tx: Tx,
  userId: number,
  mailboxId: number,
  want: number,
  now: Date,
): Promise<{ granted: number; nextAt: Date | null }> {
  const bucket = await lockBucket(tx, userId, mailboxId)
  if (bucket === undefined) return { granted: 0, nextAt: null }
  const { hourly_limit } = bucket
  if (hourly_limit === null) return { granted: want, nextAt: null }
  const { granted, nextAt, tokens, tokens_at } = takeFrom({ ...bucket, hourly_limit }, want, now)
  await changeMailbox(tx, userId, mailboxId, { tokens, tokens_at })
  return { granted, nextAt }
}

/** How many of `want` tokens there are at the moment, without locking or taking them. */
export async function tokensNow(
  db: Queryable,
  userId: number,
  mailboxId: number,
  want: number,
  now: Date,
): Promise<number> {
  const bucket = await mailbox(db, userId, mailboxId)
  if (bucket?.hourly_limit == null) return want
  return takeFrom({ ...bucket, hourly_limit: bucket.hourly_limit }, want, now).granted
}

/** Gives tokens back for mails that were not sent after all. */
export const returnTokens = (db: Queryable, userId: number, mailboxId: number, count: number) => execute(db)`
  UPDATE mailboxes SET tokens = tokens + ${count}
  WHERE user_id = ${userId} AND id = ${mailboxId} AND hourly_limit IS NOT NULL`
