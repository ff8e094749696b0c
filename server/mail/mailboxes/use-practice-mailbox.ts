import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { refuseInRun } from './leave-practice.ts'
import { settleAccounts } from './accounts-of-user.ts'
import { addMailbox, changeMailbox, lockMailboxes, mailboxesOf } from './store.ts'

/**
 * Puts the practice mailbox in use. The user's own accounts stay connected and are still synced.
 *
 * @throws Refusal 409 while a run or automatic mail through one of them is under way
 */
export async function usePracticeMailbox(
  context: Context,
  user: { id: number; email: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, user.id)
    const all = await mailboxesOf(tx, user.id)
    await refuseInRun(tx, user.id, all, 'own account')
    const practice =
      all.find((row) => row.is_practice) ??
      (await addMailbox(tx, user.id, {
        is_primary: false,
        is_practice: true,
        address: user.email,
        created_at: context.clock.now(),
      }))
    await changeMailbox(tx, user.id, practice.id, {
      address: user.email,
      disconnected_at: null,
      last_error: null,
      send_pause_until: null,
    })
    await settleAccounts(tx, user.id)
    await context.live.publish(tx, user.id, { topic: 'mailboxes' })
  })
}
