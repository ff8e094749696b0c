import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'

/** Notifies the user's open pages; a meeting also changes the status of the contacts that attend it. */
export async function publishMeetings(context: Context, tx: Tx, userId: number): Promise<void> {
  await context.live.publish(tx, userId, { topic: 'meetings' })
  await context.live.publish(tx, userId, { topic: 'contacts' })
}
