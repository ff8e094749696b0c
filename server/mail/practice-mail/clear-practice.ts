import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { clearMails } from '../emails/emails.ts'
import {
  defaultAccount,
  leftPractice,
  mailboxesOf,
  removeMailbox,
  usersWhoLeft,
} from '../mailboxes/mailboxes.ts'
import { dropAnswers } from './store.ts'

/** Mails deleted in one transaction. */
const AT_ONCE = 500

/**
 * Removes what happened in abandoned practice mailboxes: nobody was really written to, and nobody answered. Contacts
 * become as they were without it, so that they can be written to for real.
 */
export async function clearPractice(context: Context): Promise<void> {
  for (const userId of await usersWhoLeft(context.db)) {
    try {
      while (!context.stopping.aborted && (await clearSome(context, userId))) {
        // Until nothing is left.
      }
    } catch (error) {
      // Other users must not wait because of this one.
      context.log.warn({ err: error, userId }, 'practice could not be cleared away; it will be retried')
    }
  }
}

async function clearSome(context: Context, userId: number): Promise<boolean> {
  const { cleared, unusedBlobs } = await inTransaction(context.db, async (tx) => {
    const left = await leftPractice(tx, userId)
    if (left === undefined) return { cleared: false, unusedBlobs: [] }
    const { id: mailboxId, created_at: since } = left
    await dropAnswers(tx, userId, mailboxId)
    const draftsTo = defaultAccount(await mailboxesOf(tx, userId))?.id ?? null
    const mailbox = { userId, mailboxId, since, draftsTo }
    const { removed, unusedBlobs } = await clearMails(context, tx, mailbox, AT_ONCE)
    if (removed === 0) await removeMailbox(tx, userId, mailboxId)
    for (const topic of ['emails', 'contacts', 'outreach', 'mailboxes'] as const)
      await context.live.publish(tx, userId, { topic })
    return { cleared: true, unusedBlobs }
  })
  for (const key of unusedBlobs) await context.blobs.delete(key)
  return cleared
}
