import type { Context } from '../../context.ts'
import { type LockedMail, moveMails } from './actions-store.ts'
import { applyMove, type MoveAction, type MailPosition } from '../messages/folders.ts'
import { enqueueImapActions } from './enqueue-imap-actions.ts'
import type { Tx } from '../../database/handles.ts'

/** How long the words of a deleted mail are kept. */
const KEPT_MS = 30 * 86_400_000

/** When the words of a mail that is deleted now are to go. */
export function purgeAt(context: Context): Date {
  return new Date(context.clock.now().getTime() + KEPT_MS)
}

/** Moves locked mails as far as the action applies to them; gives the ids of those that moved. */
export async function moveEmails(
  context: Context,
  tx: Tx,
  userId: number,
  mails: readonly LockedMail[],
  action: MoveAction,
  mailboxIds: readonly number[],
): Promise<number[]> {
  const moves = mails.flatMap((mail): { id: number; to: MailPosition }[] => {
    const outcome = applyMove(action, mail)
    return outcome === null || 'refused' in outcome ? [] : [{ id: mail.id, to: outcome.to }]
  })
  await moveMails(tx, userId, moves, purgeAt(context))
  const ids = moves.map(({ id }) => id)
  await enqueueImapActions(context, tx, { userId, ids, mailboxIds, changed: { moved: true } })
  return ids
}
