import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts'
import { deleteOldActions, purgeContent } from './purge-store.ts'

const LOOK_EVERY_MS = 10 * 60_000
const AT_ONCE = 200
/** How long an action that a server refused is shown. */
const REFUSALS_SHOWN_MS = 7 * 86_400_000

/** Starts the loop that purges the content of mails that were deleted 30 days ago. */
export function startPurging(context: Context): Loop {
  return startLoop(context, 'purge deleted mails', LOOK_EVERY_MS, () => purgeDeleted(context))
}

/** Purges the content of deleted mails whose time has come, and old actions that were given up. */
export async function purgeDeleted(context: Context): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, (tx) => deleteOldActions(tx, new Date(now.getTime() - REFUSALS_SHOWN_MS)))
  for (let more = true; more && !context.stopping.aborted;) {
    const { purged, blobs } = await inTransaction(context.db, (tx) => purgeContent(tx, now, AT_ONCE))
    for (const key of blobs) await context.blobs.delete(key)
    more = purged === AT_ONCE
  }
}
