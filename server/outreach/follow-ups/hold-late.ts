import { heldBackBy } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { workThrough } from '../../platform/work-through.ts'
import { clearWithdrawn } from './settle-days.ts'
import { type Account, accountsToSendBy, holdAccount } from './store.ts'

/**
 * Takes follow-ups back that are queued and have not left although the user's hours are over, their account is stopped or all
 * mail is paused: a mailbox may be slow, or its server may ask to come again later. Contacts are chosen again on the next day, so
 * nothing is lost.
 */
export async function holdLateFollowUps(context: Context): Promise<void> {
  let held = 0
  const hold = async (account: Account) => {
    const why = await heldBackBy(context, context.db, account)
    if (why !== null) held += await inTransaction(context.db, (tx) => holdAccount(tx, account, why))
  }
  const next = (after: Account | undefined, limit: number) => accountsToSendBy(context.db, after, limit)
  await workThrough(context, next, hold, 'late follow-ups could not be held back')
  if (held > 0) await clearWithdrawn(context)
}
