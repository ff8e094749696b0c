import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type AccountFieldsInput, givesAccount } from './account-fields.ts'
import { ownAccount, settleAccounts } from './accounts-of-user.ts'
import { saveAccount } from './save-account.ts'
import { changeMailbox, lockMailboxes, mailboxesOf } from './store.ts'

/**
 * Saves the given fields of one connected account; with `primary` it becomes the default. Saving servers ends practice;
 * another default or limit does not.
 *
 * @throws Refusal 404; 400 with the fields that are missing or wrong; 409 while a practice run is in progress
 */
export async function changeAccount(
  context: Context,
  userId: number,
  id: number,
  input: AccountFieldsInput & { primary?: true | undefined },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const row = ownAccount(all, id)
    const makeDefault = input.primary === true
    if (givesAccount(input)) await saveAccount(context, tx, userId, all, row, input, { makeDefault })
    else {
      if (input.hourly_limit !== undefined)
        await changeMailbox(tx, userId, id, { hourly_limit: input.hourly_limit })
      if (makeDefault) await settleAccounts(tx, userId, id)
    }
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
  })
}
