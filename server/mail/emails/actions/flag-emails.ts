import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { type LockedMail, lockMails, type FlagChange, changeFlags } from './actions-store.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { connectedMailboxes, enqueueImapActions } from './enqueue-imap-actions.ts'
import type { Tx } from '../../../platform/database/handles.ts'

const FLAGS = {
  read: { is_read: true },
  unread: { is_read: false },
  star: { is_starred: true },
  unstar: { is_starred: false },
} satisfies Record<string, FlagChange>
export type FlagAction = keyof typeof FLAGS

/** Changes a flag of the locked mails. @returns the ids of the mails that changed */
export async function flagEmails(
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
