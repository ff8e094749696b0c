import { endBanIfOver, lockUser, usersWithBanOver } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { resumeAfterBan } from './unban-user.ts'

const LOOK_EVERY_MS = 2000
const AT_ONCE = 100

/** Starts the loop that ends bans whose time is over. */
export function startBanLoops(context: Context): Loop[] {
  return [startDueLoop(context, 'end bans', LOOK_EVERY_MS, () => endBans(context))]
}

/** Ends every ban whose time is over; mail goes on where it was. */
export async function endBans(context: Context): Promise<void> {
  const now = context.clock.now()
  for (const userId of await usersWithBanOver(context.db, now, AT_ONCE)) {
    if (context.stopping.aborted) return
    await inTransaction(context.db, async (tx) => {
      await lockUser(tx, userId)
      if (await endBanIfOver(context, tx, userId)) await resumeAfterBan(context, tx, userId)
    })
  }
}
