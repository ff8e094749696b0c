import type { Context } from '../../context.ts'
import { revertToDraft } from '../compose/revert-to-draft.ts'
import { moveDrafts, effectsOf, undoEffects, removeMails, unsentMails } from './clear-store.ts'
import { lockOwnMail, type OwnMail } from '../compose/compositions-store.ts'
import { lockIngest } from '../ingest/ingest-store.ts'
import type { Tx } from '../../database/handles.ts'

/** A mailbox, when it came into use, and the one that its drafts go to; null when there is none. */
export type ClearedMailbox = { userId: number; mailboxId: number; since: Date; draftsTo: number | null }

/**
 * Removes mails of a mailbox, at most `limit`, as if they had never been: with what was noted of them of contacts, of
 * addresses that get no mail, and in the activity. What the user has written and not sent stays as a draft.
 *
 * @returns how many were removed, and the blobs that nobody names any more once the transaction is committed
 */
export async function clearMails(
  context: Context,
  tx: Tx,
  mailbox: ClearedMailbox,
  limit: number,
): Promise<{ removed: number; unusedBlobs: string[] }> {
  const { userId, mailboxId } = mailbox
  // Nothing comes in meanwhile.
  await lockIngest(tx, userId)
  for (const id of await unsentMails(tx, userId, mailboxId)) {
    const mail = await lockOwnMail(tx, userId, id)
    if (mail !== undefined && isUnsent(mail)) await revertToDraft(context, tx, userId, mail)
  }
  await moveDrafts(tx, userId, mailboxId, mailbox.draftsTo)
  const notes = await effectsOf(tx, userId, mailboxId, limit)
  const unusedBlobs = await removeMails(tx, userId, notes.ids)
  await undoEffects(tx, userId, mailbox.since, notes)
  return { removed: notes.ids.length, unusedBlobs }
}

/** Its final dot has not been written, so it may still be taken out of the hands of who has it. */
function isUnsent({ folder, delivery }: OwnMail): boolean {
  return (
    folder === 'scheduled' || (delivery !== null && !['committed', 'sent', 'unsure'].includes(delivery.state))
  )
}
