import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { hastenTroubles, readSoon } from '../../mailboxes/mailboxes.ts'
import { hastenDrafts } from './draft-appends-store.ts'
import { hastenPutAside } from './folder-state-store.ts'
import { hastenActions } from './pending-actions-store.ts'

/** Makes everything due now that was put aside in any of the user's accounts, and asks the workers to read them. */
export async function tryAgain(context: Context, userId: number): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    await hastenTroubles(tx, userId, now)
    await hastenPutAside(tx, userId, now)
    await hastenActions(tx, userId, now)
    await hastenDrafts(tx, userId, now)
  })
  await readSoon(context.db, userId, now)
}
