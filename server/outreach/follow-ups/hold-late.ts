import { heldBackBy } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { clearWithdrawn } from './settle-days.ts'
import { type Account, accountsToSendBy, holdAccount } from './store.ts'

const AT_ONCE = 200

/**
 * Takes follow-ups back that are queued and have not left although the user's hours are over, their account is stopped or all
 * mail is paused: a mailbox may be slow, or its server may ask to come again later. Contacts are chosen anew on the next day, so
 * nothing is lost.
 */
export async function holdLateFollowUps(context: Context): Promise<void> {
  let held = 0
  for (let after: Account = { userId: 0, mailboxId: 0 }; ;) {
    const accounts = await accountsToSendBy(context.db, after, AT_ONCE)
    for (const account of accounts) {
      if (context.stopping.aborted) return
      try {
        const why = await heldBackBy(context, context.db, account)
        if (why !== null) held += await inTransaction(context.db, (tx) => holdAccount(tx, account, why))
      } catch (error) {
        // One user's fault must not keep those of others.
        context.log.warn({ err: error, ...account }, 'late follow-ups could not be held back; tried again')
      }
    }
    const last = accounts.at(-1)
    if (last === undefined || accounts.length < AT_ONCE) break
    after = last
  }
  if (held > 0) await clearWithdrawn(context)
}
