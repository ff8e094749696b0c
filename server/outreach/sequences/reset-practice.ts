import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { removeMembers } from './members-store.ts'
import { changeSequence, lockSequence, type SequenceRow, sequencesAfterPractice, setStarts } from './store.ts'

/** Sequences that are looked for at once. */
const AT_ONCE = 100

/** Makes all sequences that were tried out in practice drafts again once it is over, whatever has become of them there. */
export async function resetAfterPractice(context: Context): Promise<void> {
  for (const { userId, id } of await sequencesAfterPractice(context.db, AT_ONCE)) {
    if (context.stopping.aborted) return
    await inTransaction(context.db, async (tx) => {
      const sequence = await lockSequence(tx, userId, id, 'change')
      if (sequence?.in_practice !== true) return
      // Practice may have been taken up again.
      if ((await primaryMailbox(tx, userId))?.is_practice === true) return
      await backToDraft(context, tx, sequence)
    })
  }
}

/** Makes a sequence that was tried out in practice a draft again: nobody in it has been written to. */
export async function backToDraft(context: Context, tx: Tx, sequence: SequenceRow): Promise<void> {
  const { user_id: userId, id } = sequence
  await removeMembers(tx, userId, id)
  await setStarts(tx, userId, id, [])
  await changeSequence(tx, userId, id, {
    state: 'draft',
    in_practice: false,
    started_at: null,
    ended_at: null,
  })
  await context.live.publish(tx, userId, { topic: 'outreach' })
}
