import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Folder } from '#contract/mail/emails.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../../platform/errors.ts'
import {
  changeFlags,
  deleteTrash,
  type FlagChange,
  type LockedMail,
  lockMails,
  withCollapsed,
} from './actions-store.ts'
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

const FLAGS = {
  read: { is_read: true },
  unread: { is_read: false },
  star: { is_starred: true },
  unstar: { is_starred: false },
} satisfies Record<string, FlagChange>
type FlagAction = keyof typeof FLAGS

/** Changes a flag of the locked mails. @returns the ids of the mails that changed */
async function flagEmails(
  context: Context,
  tx: Tx,
  userId: number,
  mails: readonly LockedMail[],
  action: FlagAction,
  mailboxIds: readonly number[],
): Promise<number[]> {
  const flags: FlagChange = FLAGS[action]
  const ids = mails
    .filter(({ folder, is_read, is_starred }) => {
      const differs =
        flags.is_read === undefined ? is_starred !== flags.is_starred : is_read !== flags.is_read
      return folder !== 'deleted' && differs
    })
    .map(({ id }) => id)
  await changeFlags(tx, userId, ids, flags)
  const changed = flags.is_read === undefined ? { starred: true } : { read: true }
  await enqueueImapActions(context, tx, { userId, ids, mailboxIds, changed })
  return ids
}

/**
 * Sets or removes a mail's star; without `starred` it is toggled.
 *
 * @returns whether it has a star now
 * @throws Refusal 404 "Email not found"
 */
export async function starEmail(
  context: Context,
  userId: number,
  id: number,
  starred: boolean | undefined,
): Promise<boolean> {
  const mailboxIds = await connectedMailboxes(context, userId)
  return inTransaction(context.db, async (tx) => {
    const [mail] = await lockMails(tx, userId, [id])
    if (mail === undefined || mail.folder === 'deleted') throw notFound(EMAIL_NOT_FOUND)
    const wanted = starred ?? !mail.is_starred
    await flagEmails(context, tx, userId, [mail], wanted ? 'star' : 'unstar', mailboxIds)
    return wanted
  })
}
