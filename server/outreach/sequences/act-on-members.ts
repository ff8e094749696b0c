import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { sequences } from '#contract/outreach/sequences.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { withdrawEmails } from '../../mail/emails/emails.ts'
import { conflict } from '../../platform/errors.ts'
import {
  bringBackMembers,
  hurryMembers,
  lockUnderWay,
  pauseMembers,
  resumeMembers,
  setBack,
  takeOutMembers,
  unsentMailsOf,
} from './members-store.ts'
import { noSequence } from './save-sequence.ts'
import { lockSequence, type SequenceRow } from './store.ts'

type Acting = BodyOf<typeof sequences.act>

/** Does something to members of a sequence; those for which it makes no sense stay as they are. @throws Refusal 404, 409 if it has ended */
export async function actOnMembers(
  context: Context,
  userId: number,
  id: number,
  { ids, act }: Acting,
): Promise<{ changed: number; unchanged: number }> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockSequence(tx, userId, id, 'keep')
    if (sequence === undefined) throw noSequence()
    if (sequence.state === 'ended') throw conflict('This sequence has ended.')
    const changed = await perform(tx, sequence, { ids, act }, context.clock.now())
    await context.live.publish(tx, userId, { topic: 'outreach' })
    return { changed: changed.length, unchanged: new Set(ids).size - changed.length }
  })
}

/** Lets members stand still. Mail of theirs that has not left is taken back, and written anew when they go on. */
async function pause(
  tx: Tx,
  userId: number,
  id: number,
  ids: readonly number[],
  now: Date,
): Promise<number[]> {
  const underWay = await lockUnderWay(tx, userId, id, ids)
  const unsent = await unsentMailsOf(tx, userId, underWay)
  // Whoever is done but for the last mail is active again by this.
  await setBack(tx, userId, unsent, now)
  const paused = await pauseMembers(tx, userId, id, underWay)
  await withdrawEmails(tx, userId, await unsentMailsOf(tx, userId, paused))
  return paused
}

async function perform(
  tx: Tx,
  { user_id: userId, id, state }: SequenceRow,
  { ids, act }: Acting,
  now: Date,
): Promise<number[]> {
  const isRunning = state === 'running'
  switch (act) {
    case 'pause':
      return pause(tx, userId, id, ids, now)
    case 'go_on':
      return resumeMembers(tx, userId, id, ids, isRunning)
    case 'next':
      return hurryMembers(tx, userId, id, ids, now)
    case 'undo_take_out':
      return bringBackMembers(tx, userId, id, ids, isRunning)
    default: {
      const out = await takeOutMembers(tx, userId, id, ids, now)
      const unsent = await unsentMailsOf(tx, userId, out)
      // Whoever is brought back is to get the mail that is taken back here.
      await setBack(tx, userId, unsent, now)
      await withdrawEmails(tx, userId, unsent)
      return out
    }
  }
}
