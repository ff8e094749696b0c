import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { addEntry, type Balance, expireEntries, readBalance, readBalances, spendEntries } from './store.ts'

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
  context: Pick<Context, 'clock'>,
  db: Queryable,
  userId: number,
  amount: number,
  reason: string,
): Promise<boolean> {
  const now = context.clock.now()
  return inTransaction(db, (tx) => spendEntries(tx, { userId, amount, reason, now }))
}

/** What each of some users has unspent; those without credits are left out. */
export async function creditsOf(db: Queryable, userIds: readonly number[]): Promise<Map<number, number>> {
  return readBalances(db, userIds)
}

/** Gives a user credits, which expire as earned ones do. They can be spent once the user has confirmed the address. */
export async function giveCredits(
  context: Pick<Context, 'clock' | 'live'>,
  db: Queryable,
  userId: number,
  amount: number,
  reason: string,
): Promise<void> {
  await addEntry(db, { userId, amount, reason, now: context.clock.now() })
  await context.live.publish(db, userId, { topic: 'referrals' })
}

/** Writes off expired credits of users who do not look at them. */
export function startCreditLoops(context: Context): Loop[] {
  return [startLoop(context, 'expire credits', EXPIRE_EVERY_MS, () => expireCredits(context))]
}

/** One step of the loop. */
export async function expireCredits(context: Context): Promise<void> {
  const expired = await inTransaction(context.db, (tx) =>
    expireEntries(tx, null, context.clock.now(), AT_ONCE),
  )
  if (expired === AT_ONCE && !context.stopping.aborted) await expireCredits(context)
}
