import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AccountFieldsInput } from './account-fields.ts'
import { saveAccount } from './save-account.ts'
import { lockMailboxes, mailboxesOf } from './store.ts'

/**
 * Connects another account of the user's own; the first one becomes the default. Practice ends.
 *
 * @returns the account's id
 * @throws Refusal 400 with the fields that are missing or wrong, also for an address that is connected already; 409 when
 *   the user's plan has no room for another account, or while a practice run is in progress
 */
export async function addAccount(
  context: Context,
  userId: number,
  input: AccountFieldsInput,
): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const id = await saveAccount(context, tx, userId, all, undefined, input, { needsSmtp: true })
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    return id
  })
}
