import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { refuseInRun } from './leave-practice.ts'
import { addMailbox, changeMailbox, lockMailboxes, mailboxesOf, makePrimary } from './store.ts'

/**
 * Makes the practice mailbox the one in use. An account of the user's own stays connected and is still read.
 *
 * @throws Refusal 409 while a run through that account is under way
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
