import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { invalidInput } from '../../../platform/errors.ts'
import { deleteTrash } from './actions-store.ts'
import { purgeAt } from './move-emails.ts'
import { connectedMailboxes, enqueueImapActions } from './enqueue-imap-actions.ts'

/**
 * Deletes everything in the trash for good.
 *
 * @returns the number of deleted mails
 * @throws Refusal 400 "Trash is already empty"
 */
export async function emptyTrash(context: Context, userId: number): Promise<number> {
  const mailboxIds = await connectedMailboxes(context, userId)
  return inTransaction(context.db, async (tx) => {
    const ids = await deleteTrash(tx, userId, purgeAt(context))
    if (ids.length === 0) throw invalidInput('Trash is already empty')
    await enqueueImapActions(context, tx, { userId, ids, mailboxIds, changed: { moved: true } })
    return ids.length
  })
}
