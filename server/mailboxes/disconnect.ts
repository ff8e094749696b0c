import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { stopFollowUps } from './follow-ups-store.ts'
import { refuseInRun } from './leave-practice.ts'
import { notifyChange } from './notify-change.ts'
import { ownAccount, primaryOf } from './own-account.ts'
import { changeMailbox, leavePractice, lockMailboxes, mailboxesOf, makePrimary } from './store.ts'

/**
 * Disconnects the account in use and deletes its passwords; its mails stay. After the practice mailbox the user's own
 * account is in use again, if there is one, and what happened in practice is cleared away. Without an account nothing
 * happens.
 *
 * @throws Refusal 409 while a practice run is in progress
 */
export async function disconnect(context: Context, userId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const primary = primaryOf(all)
    if (primary === undefined) return
    if (primary.is_practice) {
      await refuseInRun(tx, userId, all, 'practice')
      await leavePractice(tx, userId, context.clock.now())
    }
    await changeMailbox(tx, userId, primary.id, {
      is_primary: false,
      disconnected_at: context.clock.now(),
      smtp_password_box: null,
      imap_password_box: null,
      next_read_at: null,
      reader_id: null,
      last_error: null,
      read_error: null,
      read_error_kind: null,
      read_failures: 0,
    })
    if (!primary.is_practice)
      await notifyChange(context, tx, userId, { address: primary.address, what: 'disconnected' })
    await stopFollowUps(tx, userId, primary.is_practice ? 'practice' : 'own')
    const next = ownAccount(all.filter((row) => row.id !== primary.id))
    if (next !== undefined) await makePrimary(tx, userId, next.id)
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
  })
}
