import type { LiveEvent } from '#contract/platform/events.ts'
import type { Context } from './context.ts'
import type { Tx } from './database/handles.ts'
import { inTransaction } from './database/transaction.ts'

/** Changes something of a user in one transaction. Their open pages hear of it once it is committed. */
export async function changing<T>(
  { db, live }: Pick<Context, 'db' | 'live'>,
  userId: number,
  topic: LiveEvent['topic'],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const done = await work(tx)
    await live.publish(tx, userId, { topic })
    return done
  })
}
