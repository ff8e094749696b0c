import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { refuseInRun } from './leave-practice.ts'
import { addMailbox, changeMailbox, lockMailboxes, mailboxesOf, makePrimary } from './store.ts'

/**
 * Puts the practice mailbox in use. The user's own account stays connected and is still synced.
 *
 * @throws Refusal 409 while a run through that account is in progress
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
    await makePrimary(tx, user.id, practice.id)
    await context.live.publish(tx, user.id, { topic: 'mailboxes' })
  })
}
