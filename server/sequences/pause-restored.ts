import type { Tx } from '../database/handles.ts'
import { holdGroup } from '../emails/emails.ts'
import { groupOf } from './hours-of.ts'
import { pauseAllSequences } from './store.ts'

/** After a restore: pauses all sequences of all users, with their mails. Each waits until its owner goes on with it. */
export async function pauseRestoredSequences(tx: Tx): Promise<void> {
  for (const { userId, id } of await pauseAllSequences(tx)) await holdGroup(tx, userId, groupOf(id))
}
