import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { removeDraftTrouble } from '../../mailboxes/mailboxes.ts'
import { draftAppendTime } from '../messages/draft-versions.ts'
import { setDraftAppend } from './compositions-store.ts'

/**
 * Has a draft's newest state appended to the account's Drafts folder soon, or earlier if an append is due before. If the
 * server has refused it, the changed draft gets a fresh chance, and the pauses start again.
 */
export async function scheduleDraftAppend(
  context: Context,
  tx: Tx,
  userId: number,
  emailId: number,
): Promise<void> {
  await setDraftAppend(tx, userId, emailId, draftAppendTime(context.clock.now()))
  if (await removeDraftTrouble(tx, userId, emailId))
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
}
