import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { tokenSignature } from './invite-friend.ts'
import { noteOpened } from './store.ts'

/** A friend's browser shows the page that the invitation leads to. Unknown tokens change nothing and are not told. */
export async function noteInvitationOpened(context: Context, token: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const inviter = await noteOpened(tx, tokenSignature(context, token))
    if (inviter !== undefined) await context.live.publish(tx, inviter, { topic: 'referrals' })
  })
}
