import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Mailbox, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { accountOf } from './account-of.ts'
import { wakeSequences } from './bring-forward.ts'
import { claimDue, dueSequences, postponeDue } from './due-store.ts'
import { backToDraft } from './hold-sequence.ts'
import { lockSequence } from './store.ts'
import { processMembers } from './process-members.ts'
import { LOOK_AGAIN_MS } from './apply-steps.ts'

/** Members whose steps are done in one transaction. */
const AT_ONCE = 500
/** Members that are looked at to find the sequences that have something to do; if more are due, all sequences are asked. */
const LOOK = 5000
/** Whether a deleted account is there again is looked at after this. */
const DELETED_LOOK_AGAIN_MS = 60 * 60_000

/**
 * Gives each sequence with members that are due one turn: the steps of some of them. Any number of workers may do so at once,
 * and be killed at any time.
 *
 * @returns whether anything was done, so that more may be due
 */
export async function runDue(context: Context): Promise<boolean> {
  await wakeSequences(context)
  let found = false
  const due = await dueSequences(context.db, context.clock.now(), LOOK)
  const sharers = new Map<number | null, number>()
  for (const { accountId } of due) sharers.set(accountId, (sharers.get(accountId) ?? 0) + 1)
  for (const { userId, sequenceId, accountId } of due) {
    if (context.stopping.aborted) return false
    try {
      if (await runSome(context, userId, sequenceId, sharers.get(accountId) ?? 1)) found = true
    } catch (error) {
      context.log.error({ err: error, userId, sequenceId }, 'a sequence failed; it is tried again later')
      await postpone(context, userId, sequenceId)
    }
  }
  return found
}

/** Lets a sequence that failed wait: it must not keep all others, of all users, from going on. */
async function postpone(context: Context, userId: number, sequenceId: number): Promise<void> {
  const now = context.clock.now()
  const until = after(now, LOOK_AGAIN_MS)
  await inTransaction(context.db, async (tx) => postponeDue(tx, userId, sequenceId, { now, until }))
}

/** Does the steps of some members of one sequence, each once, in one transaction; returns whether there was anything to do. */
async function runSome(
  context: Context,
  userId: number,
  sequenceId: number,
  sharers: number,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockSequence(tx, userId, sequenceId, 'keep')
    if (sequence?.state !== 'running') return false
    const now = context.clock.now()
    const user = await findUser(tx, userId)
    if (user === undefined || isMailPaused(user)) {
      // Nobody goes on: replies are not read meanwhile.
      const until = after(now, user === undefined ? DELETED_LOOK_AGAIN_MS : LOOK_AGAIN_MS)
      await postponeDue(tx, userId, sequenceId, { now, until })
      return false
    }
    if (isBehind(await accountOf(tx, sequence))) return false
    const members = await claimDue(tx, userId, sequenceId, now, AT_ONCE)
    if (members.length === 0) return false
    if (sequence.in_practice && (await primaryMailbox(tx, userId))?.is_practice !== true) {
      await backToDraft(context, tx, sequence)
      return true
    }
    const zone = user.time_zone ?? FALLBACK_ZONE
    return processMembers({ context, tx, user, sequence, now, zone, sharers }, members)
  })
}

/** Whether the account of a sequence is still to be read after a pause of all mail: those who are due may have replied. */
export function isBehind(mailbox: Mailbox | undefined): boolean {
  // One that is not read any more does not catch up.
  return mailbox !== undefined && mailbox.is_behind && mailbox.next_read_at !== null
}

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)
