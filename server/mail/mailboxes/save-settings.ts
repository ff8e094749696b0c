import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { givesAccount, type SettingsInput } from './account-fields.ts'
import { defaultAccount, primaryOf, settleAccounts } from './accounts-of-user.ts'
import { changeFollowUps, type FollowUpChanges } from './follow-ups-store.ts'
import { addEmptyAccount } from './place-for-account.ts'
import { saveAccount } from './save-account.ts'
import { changeMailbox, lockMailboxes, mailboxesOf } from './store.ts'

/**
 * Saves the given fields. Servers are those of the default account; saving them ends practice. Follow-ups belong to the
 * user; only whether they are on is kept apart for practice.
 *
 * @throws Refusal 400 with the fields that are missing or wrong; 409 while a practice run is in progress
 */
export async function saveSettings(context: Context, userId: number, input: SettingsInput): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const own = defaultAccount(all)
    if (givesAccount(input)) await saveAccount(context, tx, userId, all, own, input)
    else if (input.hourly_limit !== undefined) {
      const limited = own ?? primaryOf(all) ?? (await addEmptyAccount(context, tx, userId))
      await changeMailbox(tx, userId, limited.id, { hourly_limit: input.hourly_limit })
      await settleAccounts(tx, userId)
    }
    const inPractice = !givesAccount(input) && primaryOf(all)?.is_practice === true
    await changeFollowUps(tx, userId, followUpChanges(input, inPractice))
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
  })
}

function followUpChanges(input: SettingsInput, inPractice: boolean): FollowUpChanges {
  const { auto_followup_enabled: enabled, auto_followup_max_days, auto_followup_daily_hour } = input
  return {
    ...(enabled === undefined ? {} : inPractice ? { enabled_in_practice: enabled } : { enabled }),
    ...(auto_followup_max_days === undefined ? {} : { max_days: auto_followup_max_days }),
    ...(auto_followup_daily_hour === undefined ? {} : { daily_hour: auto_followup_daily_hour }),
  }
}
