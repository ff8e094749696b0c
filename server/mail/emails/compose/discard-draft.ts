import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { changeMail, lockOwnMail, type OwnMail } from './compositions-store.ts'
import { EMAIL_NOT_FOUND, STILL_SCHEDULED } from '../messages/folders.ts'
import { purgeAt } from '../actions/move-emails.ts'
import { connectedMailboxes, enqueueImapActions } from '../actions/enqueue-imap-actions.ts'
import type { Tx } from '../../../platform/database/handles.ts'

export const HAS_LEFT = 'This email has already been sent.'

/**
 * Discards a draft, also in the account's Drafts folder.
 *
 * @throws Refusal 404; 409 for a mail that is not a draft
 */
export async function discardDraft(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const mail = await lockOwnMail(tx, userId, id)
    if (mail === undefined || mail.folder === 'deleted') throw notFound(EMAIL_NOT_FOUND)
    if (mail.folder === 'scheduled') throw conflict(STILL_SCHEDULED)
    if (mail.folder !== 'drafts')
      throw conflict('Only drafts can be discarded. Move this email to the trash instead.')
    await deleteDraft(context, tx, userId, mail)
  })
}

/** Deletes a draft or scheduled mail in the caller's transaction, which has it locked. */
export async function deleteDraft(
  context: Context,
  tx: Tx,
  userId: number,
  { id }: Pick<OwnMail, 'id'>,
): Promise<void> {
  await changeMail(tx, userId, id, {
    folder: 'deleted',
    original_folder: null,
    purge_at: purgeAt(context),
  })
  const mailboxIds = await connectedMailboxes(context, userId)
  await enqueueImapActions(context, tx, { userId, ids: [id], mailboxIds, changed: { moved: true } })
}
