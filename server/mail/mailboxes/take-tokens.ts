import { takeFrom } from './hourly-limit.ts'
import { changeMailbox, lockBucket } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

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
