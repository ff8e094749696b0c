import type { Context } from '../../platform/context.ts'
import { tryLockQueue, usersInQueue } from '../../platform/database/index-queue.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { takeUnindexed, writeIndexEntries } from './search-store.ts'

/** Imported contacts are indexed about this soon; until then a search reads the contacts themselves. */
const LOOK_EVERY_MS = 1000
const USERS_AT_ONCE = 50
/** Contacts of one user at a time: other users do not wait for a whole import. */
const CONTACTS_AT_ONCE = 1000

/** Starts the loop that indexes contacts which came in bulk. */
export function startIndexingContacts(context: Context): Loop {
  return startDueLoop(context, 'index contacts', LOOK_EVERY_MS, async () => {
    let written = 1
    while (written > 0 && !context.stopping.aborted) {
      written = 0
      for (const userId of await usersInQueue(context.db, 'contact_search_queue', USERS_AT_ONCE))
        if (!context.stopping.aborted) written += await indexSomeContacts(context, userId)
    }
  })
}

/** Indexes up to `CONTACTS_AT_ONCE` contacts of a user; returns how many it took off the queue. */
export async function indexSomeContacts(context: Context, userId: number): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    if (!(await tryLockQueue(tx, 'contact_search_queue', userId))) return 0
    const ids = await takeUnindexed(tx, userId, CONTACTS_AT_ONCE)
    await writeIndexEntries(tx, userId, ids)
    return ids.length
  })
}
