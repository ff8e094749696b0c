import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Folder } from '#contract/mail/emails.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../../platform/errors.ts'
import { deleteTrash, lockMails, withCollapsed } from './actions-store.ts'
import { flagEmails } from './flag-emails.ts'
import { EMAIL_NOT_FOUND, applyMove, isMove, restoredTo } from '../messages/folders.ts'
import { moveEmails, purgeAt } from './move-emails.ts'
import { connectedMailboxes, enqueueImapActions } from './enqueue-imap-actions.ts'

/**
 * Applies an action to many mails at once. Mails that are missing, or that the action does not apply to, are skipped.
 *
 * @param input.collapsed also to the mails that the inbox shows collapsed under these
 * @returns the ids of the mails that changed
 */
export async function actOnEmails(
  context: Context,
  userId: number,
  input: { action: MailAction; ids: readonly number[]; collapsed?: boolean | undefined },
): Promise<number[]> {
  const { action } = input
  const mailboxIds = await connectedMailboxes(context, userId)
  return inTransaction(context.db, async (tx) => {
    const ids = input.collapsed === true ? await withCollapsed(tx, userId, input.ids) : input.ids
    const mails = await lockMails(tx, userId, ids)
    return isMove(action)
      ? moveEmails(context, tx, userId, mails, action, mailboxIds)
      : flagEmails(context, tx, userId, mails, action, mailboxIds)
  })
}

/**
 * Applies an action to one mail. Doing it twice changes nothing more.
 *
 * @returns the folder that the mail is in now
 * @throws Refusal 404 "Email not found"; 409 with the reason if it cannot be done
 */
export async function actOnEmail(
  context: Context,
  userId: number,
  id: number,
  action: MailAction,
): Promise<Folder> {
  const mailboxIds = await connectedMailboxes(context, userId)
  return inTransaction(context.db, async (tx) => {
    const [mail] = await lockMails(tx, userId, [id])
    // Deleting a deleted mail is not an error; for every other action it does not exist any more.
    if (mail === undefined || (mail.folder === 'deleted' && action !== 'delete'))
      throw notFound(EMAIL_NOT_FOUND)
    if (!isMove(action)) {
      await flagEmails(context, tx, userId, [mail], action, mailboxIds)
      return restoredTo(mail)
    }
    const result = applyMove(action, mail)
    if (result === null) return restoredTo(mail)
    if ('refused' in result) throw conflict(result.refused)
    await moveEmails(context, tx, userId, [mail], action, mailboxIds)
    return restoredTo(result.to)
  })
}

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
