import type { Context } from '../../../platform/context.ts'
import { hasImap, mailboxesOf } from '../../mailboxes/mailboxes.ts'
import { addPendingActions, type ChangedAspects } from './actions-store.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** Mails of a user that changed, and in what; `mailboxIds` are the user's IMAP accounts. */
export type MailChange = {
  userId: number
  ids: readonly number[]
  mailboxIds: readonly number[]
  changed: ChangedAspects
}

/** Queues the change for the IMAP servers, and tells every open tab that mails have changed. */
export async function enqueueImapActions(context: Context, tx: Tx, change: MailChange): Promise<void> {
  if (change.ids.length === 0) return
  await addPendingActions(tx, change.userId, { ...change, now: context.clock.now() })
  await context.live.publish(tx, change.userId, { topic: 'emails' })
}

/** The user's accounts that are connected by IMAP. */
export async function connectedMailboxes(context: Context, userId: number): Promise<number[]> {
  return (await mailboxesOf(context.db, userId)).filter(hasImap).map(({ id }) => id)
}
