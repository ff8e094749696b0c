import type { MailAction } from '#contract/email-actions.ts'
import type { Folder } from '#contract/emails.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, notFound } from '../../errors.ts'
import { lockMails, withCollapsed } from './actions-store.ts'
import { flagEmails } from './flag-emails.ts'
import { EMAIL_NOT_FOUND, applyMove, isMove, restoredTo } from '../messages/folders.ts'
import { moveEmails } from './move-emails.ts'
import { connectedMailboxes } from './enqueue-imap-actions.ts'

/**
 * Does one thing with many mails at once. What is not there, or where it does not apply, is passed over.
 *
 * @param input.collapsed also with the mails that the inbox shows as one with these
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
 * Does one thing with one mail. Doing it twice changes nothing more.
 *
 * @returns the folder that the mail is in now
 * @throws Refusal 404 "Email not found"; 409 where it cannot be done, with why
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
    // To delete what is deleted is no mistake; for everything else it is not there any more.
    if (mail === undefined || (mail.folder === 'deleted' && action !== 'delete'))
      throw notFound(EMAIL_NOT_FOUND)
    if (!isMove(action)) {
      await flagEmails(context, tx, userId, [mail], action, mailboxIds)
      return restoredTo(mail)
    }
    const outcome = applyMove(action, mail)
    if (outcome === null) return restoredTo(mail)
    if ('refused' in outcome) throw conflict(outcome.refused)
    await moveEmails(context, tx, userId, [mail], action, mailboxIds)
    return restoredTo(outcome.to)
  })
}
