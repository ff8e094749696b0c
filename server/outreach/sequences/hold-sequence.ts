import { counted } from '#contract/platform/counted.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { type Cleared, findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { holdGroup, releaseGroup, withdrawGroup } from '../../mail/emails/emails.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { checkSteps } from './check-sequence.ts'
import { commonHours, groupOf, whenDue } from './pace.ts'
import { beginMembers, openMembers, removeMembers, stopAllMembers } from './members-store.ts'
import { lockOwn, startsOf } from './save-sequence.ts'
import {
  changeSequence,
  findSequence,
  lockSequence,
  pauseAllSequences,
  type SequenceRow,
  sequencesAfterPractice,
  setStarts,
} from './store.ts'

/** Starts a draft, or goes on with a paused sequence. @throws Refusal 404; 400 with what hinders it; 409 if it has ended */
export function startSequence(context: Context, userId: number, id: number): Promise<SequenceRow> {
  return change(context, userId, id, async (tx, before) => {
    if (before.state === 'ended') throw conflict('This sequence has ended.')
    if (before.state === 'running') return
    const problem = (await checkSteps(tx, before)).find(({ kind }) => kind === 'stop')
    if (problem !== undefined) throw invalidInput(problem.message)
    const now = context.clock.now()
    const zone = (await findUser(tx, userId))?.time_zone ?? FALLBACK_ZONE
    const [first] = before.steps
    if (before.state === 'draft') {
      const isPractice = (await primaryMailbox(tx, userId))?.is_practice === true
      await changeSequence(tx, userId, id, { in_practice: isPractice, started_at: now })
      await setStarts(tx, userId, id, startsOf(before.starts))
      if (first !== undefined) {
        const dueAt = whenDue(before.steps, first.id, now, { rules: commonHours(before), zone })
        await beginMembers(tx, before, { step: first.id, dueAt, now })
      }
    }
    await changeSequence(tx, userId, id, { state: 'running', updated_at: now })
    await openMembers(tx, userId, id, true)
    await releaseGroup(tx, userId, groupOf(id))
  })
}

/** Holds a sequence; mail that has not left waits. @throws Refusal 404, 409 if it does not run */
export function pauseSequence(context: Context, userId: number, id: number): Promise<SequenceRow> {
  return change(context, userId, id, async (tx, before) => {
    if (before.state === 'paused') return
    if (before.state !== 'running') throw conflict('This sequence does not run.')
    await changeSequence(tx, userId, id, { state: 'paused', updated_at: context.clock.now() })
    await openMembers(tx, userId, id, false)
    await holdGroup(tx, userId, groupOf(id))
  })
}

/** Takes mails of a sequence that does not run out of the queue: they wait with it, or are gone with it. */
export async function takeFromQueue(context: Context, { user_id: userId, id }: SequenceRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // It may have gone on meanwhile.
    const state = (await lockSequence(tx, userId, id, 'keep'))?.state
    if (state === 'paused') await holdGroup(tx, userId, groupOf(id))
    else if (state !== 'running') await withdrawGroup(tx, userId, groupOf(id))
  })
}

/** Sequences may have been set up by a stranger: all are paused, with their mails, until their owner goes on with them. */
export async function pauseSequences(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const count = await pauseWithMails(tx, userId)
  if (count === 0) return { told: [] }
  await context.live.publish(tx, userId, { topic: 'outreach' })
  await context.live.publish(tx, userId, { topic: 'emails' })
  return { told: [`${counted(count, 'sequence is', 'sequences are')} paused.`] }
}

/** After a restore: pauses all sequences of all users, with their mails. Each waits until its owner goes on with it. */
export async function pauseRestoredSequences(tx: Tx): Promise<void> {
  await pauseWithMails(tx)
}

async function pauseWithMails(tx: Tx, owner?: number): Promise<number> {
  const paused = await pauseAllSequences(tx, owner)
  for (const { userId, id } of paused) await holdGroup(tx, userId, groupOf(id))
  return paused.length
}

/** Ends a sequence for good; mail that has not left is taken back. @throws Refusal 404, 409 for a draft */
export function endSequence(context: Context, userId: number, id: number): Promise<SequenceRow> {
  return change(context, userId, id, async (tx, before) => {
    if (before.state === 'ended') return
    if (before.state === 'draft') throw conflict('This sequence has not been started.')
    const now = context.clock.now()
    await changeSequence(tx, userId, id, { state: 'ended', updated_at: now, ended_at: now })
    await setStarts(tx, userId, id, [])
    await stopAllMembers(tx, userId, id, 'sequence_ended', now)
    await withdrawGroup(tx, userId, groupOf(id))
  })
}

async function change(
  context: Context,
  userId: number,
  id: number,
  act: (tx: Tx, before: SequenceRow) => Promise<void>,
): Promise<SequenceRow> {
  return inTransaction(context.db, async (tx) => {
    const before = await lockOwn(tx, userId, id, 'change')
    await act(tx, before)
    await context.live.publish(tx, userId, { topic: 'outreach' })
    await context.live.publish(tx, userId, { topic: 'emails' })
    return (await findSequence(tx, userId, id)) ?? before
  })
}

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
