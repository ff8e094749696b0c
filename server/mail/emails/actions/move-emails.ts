import type { Context } from '../../../platform/context.ts'
import { type LockedMail, moveMails } from './actions-store.ts'
import { applyMove, type MoveAction, type MailPosition } from '../messages/folders.ts'
import { enqueueImapActions } from './enqueue-imap-actions.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** How long the content of a deleted mail is kept. */
const KEPT_MS = 30 * 86_400_000

/** When the content of a mail that is deleted now is purged. */
export function purgeAt(context: Context): Date {
  return new Date(context.clock.now().getTime() + KEPT_MS)
}

/** Moves the locked mails that the action applies to. @returns the ids of the mails that moved */
export async function moveEmails(
  context: Context,
  tx: Tx,
  userId: number,
  mails: readonly LockedMail[],
  action: MoveAction,
  mailboxIds: readonly number[],
): Promise<number[]> {
  const moves = mails.flatMap((mail): { id: number; to: MailPosition }[] => {
    const result = applyMove(action, mail)
    return result === null || 'refused' in result ? [] : [{ id: mail.id, to: result.to }]
  })
  await moveMails(tx, userId, moves, purgeAt(context))
  const ids = moves.map(({ id }) => id)
  await enqueueImapActions(context, tx, { userId, ids, mailboxIds, changed: { moved: true } })
  return ids
}
