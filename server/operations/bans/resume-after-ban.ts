import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { readSoon } from '../../mail/mailboxes/mailboxes.ts'

/** Has the user's mail read and sent again, unless it is paused for another reason. */
export async function resumeAfterBan(context: Context, tx: Tx, userId: number): Promise<void> {
  await readSoon(tx, userId, context.clock.now())
  await context.live.publish(tx, userId, { topic: 'mailboxes' })
  await context.live.publish(tx, userId, { topic: 'outreach' })
}
