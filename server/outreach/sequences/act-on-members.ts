import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { changeMembers, lockUnderWay, setBack, unsentMailsOf } from './members-store.ts'
import { lockLive } from './save-sequence.ts'
import type { SequenceRow } from './store.ts'

type Acting = BodyOf<typeof sequences.act>

/** Does something to members of a sequence; those for which it makes no sense stay as they are. @throws Refusal 404, 409 if it has ended */
export async function actOnMembers(
  context: Context,
  userId: number,
  id: number,
  acting: Acting,
): Promise<{ changed: number; unchanged: number }> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockLive(tx, userId, id, 'keep')
    const changed = await perform(tx, sequence, acting, context.clock.now())
    await context.live.publish(tx, userId, { topic: 'outreach' })
    return { changed: changed.length, unchanged: new Set(acting.ids).size - changed.length }
  })
}

async function perform(tx: Tx, sequence: SequenceRow, acting: Acting, now: Date): Promise<number[]> {
  const { user_id: userId } = sequence
  if (acting.act === 'pause') {
    const underWay = await lockUnderWay(tx, sequence, acting.ids)
    // A member that is done but for its last mail is active again by this.
    await setBack(tx, userId, await unsentMailsOf(tx, userId, underWay), now)
  }
  const changed = await changeMembers(tx, sequence, acting, now)
  // Mail that is taken back is written again when they go on, or are brought back.
  if (acting.act === 'pause' || acting.act === 'take_out') await takeMailBack(tx, userId, changed, now)
  return changed
}

/** Takes back the mail of members that has not left, and sets them back to its steps: they write it if they go on. */
export async function takeMailBack(
  tx: Tx,
  userId: number,
  members: readonly number[],
  now: Date,
): Promise<void> {
  const unsent = await unsentMailsOf(tx, userId, members)
  await setBack(tx, userId, unsent, now)
  await withdrawEmails(tx, userId, unsent)
}
