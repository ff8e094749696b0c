import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { rulesOf } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { commonHours, type Hours, whenAllowed } from './pace.ts'
import { dueSooner, readyTimes, sequencesAtWork, takeWake, usersToWake } from './postpone-store.ts'
import { lockSequence, type SequenceRow } from './store.ts'

/** Users who are looked at in one round. */
const AT_ONCE = 100

/**
 * After a change of hours or ceilings: lets members of a sequence that were postponed go on as soon as they may now. A member in
 * a wait stays in it, and nobody is put off here: the engine does that, and sees to the pace.
 */
export async function bringForward(tx: Tx, sequence: SequenceRow, now: Date): Promise<void> {
  const { user_id: userId, id: sequenceId } = sequence
  const of = { userId, sequenceId, now }
  const ready = await readyTimes(tx, of)
  if (ready.length === 0) return
  const zone = (await findUser(tx, userId))?.time_zone ?? FALLBACK_ZONE
  const hours: Hours[] = [...commonHours(sequence), await rulesOf(tx, userId)]
  await dueSooner(
    tx,
    of,
    ready.map((at) => ({ at, dueAt: whenAllowed(hours, zone, at) })),
  )
}

/** Looks again at the members of users whose hours, or the ceiling of an account of theirs, have changed. */
export async function wakeSequences(context: Context): Promise<void> {
  for (const userId of await usersToWake(context.db, AT_ONCE)) {
    if (context.stopping.aborted) return
    try {
      await inTransaction(context.db, async (tx) => {
        if (await takeWake(tx, userId)) await wakeAll(context, tx, userId)
      })
    } catch (error) {
      context.log.error({ err: error, userId }, 'members that were postponed were not looked at again')
      // They go on at the time that they had. The note must not be tried each second.
      await inTransaction(context.db, (tx) => takeWake(tx, userId))
    }
  }
}

async function wakeAll(context: Context, tx: Tx, userId: number): Promise<void> {
  for (const id of await sequencesAtWork(tx, userId)) {
    const sequence = await lockSequence(tx, userId, id, 'change')
    if (sequence !== undefined) await bringForward(tx, sequence, context.clock.now())
  }
  await context.live.publish(tx, userId, { topic: 'outreach' })
}
