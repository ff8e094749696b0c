import type { Context } from '../../../platform/context.ts'
import { revertToDraft } from '../compose/revert-to-draft.ts'
import { moveDrafts, effectsOf, undoEffects, removeMails, unsentMails } from './clear-store.ts'
import { lockOwnMail, type OwnMail } from '../compose/compositions-store.ts'
import { lockIngest } from '../ingest/ingest-store.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** A mailbox, when it was first used, and the mailbox that its drafts move to; null when there is none. */
export type ClearedMailbox = { userId: number; mailboxId: number; since: Date; draftsTo: number | null }

/**
 * Removes mails of a mailbox, at most `limit`, as if they had never existed, together with what they recorded about
 * contacts, suppressions and activity. What the user has written and not sent stays as a draft.
 *
 * @returns how many were removed, and the blobs that nothing refers to once the transaction is committed
 */
export async function clearMails(
  context: Context,
  tx: Tx,
  mailbox: ClearedMailbox,
  limit: number,
): Promise<{ removed: number; unusedBlobs: string[] }> {
  const { userId, mailboxId } = mailbox
  // No mail is ingested meanwhile.
  await lockIngest(tx, userId)
  for (const id of await unsentMails(tx, userId, mailboxId)) {
    const mail = await lockOwnMail(tx, userId, id)
    if (mail !== undefined && isUnsent(mail)) await revertToDraft(context, tx, userId, mail)
  }
  await moveDrafts(tx, userId, mailboxId, mailbox.draftsTo)
  const effects = await effectsOf(tx, userId, mailboxId, limit)
  const unusedBlobs = await removeMails(tx, userId, effects.ids)
  await undoEffects(tx, userId, mailbox.since, effects)
  return { removed: effects.ids.length, unusedBlobs }
}

/** True while the final dot has not been sent, so that the mail can still be taken from the worker that has claimed it. */
function isUnsent({ folder, delivery }: OwnMail): boolean {
  return (
    folder === 'scheduled' || (delivery !== null && !['committed', 'sent', 'unsure'].includes(delivery.state))
  )
}
