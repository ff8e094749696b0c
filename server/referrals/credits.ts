import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { type Balance, expireEntries, readBalance, spendEntries } from './credits-store.ts'

const EXPIRE_EVERY_MS = 60 * 60_000
/** Rows written off in one transaction. */
const AT_ONCE = 500

/** The user's credits at this moment: what has expired by now is written off first. */
export async function balanceOf(context: Context, userId: number): Promise<Balance> {
  return inTransaction(context.db, async (tx) => {
    await expireEntries(tx, userId, context.clock.now(), AT_ONCE)
    return readBalance(tx, userId)
  })
}

/**
 * Spends a positive number of credits, the oldest first. Credits of friends who have not confirmed their address cannot be
 * spent yet.
 *
 * @returns false, and nothing is spent, if the user has not so many
 */
export async function spendCredits(
  context: Context,
  userId: number,
  amount: number,
  reason: string,
): Promise<boolean> {
  const now = context.clock.now()
  return inTransaction(context.db, (tx) => spendEntries(tx, { userId, amount, reason, now }))
}

/** Writes off expired credits of users who do not look at them. */
export function startReferralLoops(context: Context): Loop[] {
  return [startLoop(context, 'expire credits', EXPIRE_EVERY_MS, () => expireCredits(context))]
}

/** One step of the loop. */
export async function expireCredits(context: Context): Promise<void> {
  const expired = await inTransaction(context.db, (tx) =>
    expireEntries(tx, null, context.clock.now(), AT_ONCE),
  )
  if (expired === AT_ONCE && !context.stopping.aborted) await expireCredits(context)
}
