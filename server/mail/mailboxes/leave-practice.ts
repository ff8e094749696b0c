import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { primaryOf } from './accounts-of-user.ts'
import { stopFollowUps } from './follow-ups-store.ts'
import { leavePractice, type Mailbox, mailboxesInRun } from './store.ts'

/** Leaves practice, if the user is in it. @throws Refusal 409 while a practice run is in progress */
export async function endPractice(
  context: Context,
  tx: Tx,
  userId: number,
  all: readonly Mailbox[],
): Promise<void> {
  if (primaryOf(all)?.is_practice !== true) return
  await refuseInRun(tx, userId, all, 'practice')
  await leavePractice(tx, userId, context.clock.now())
  await stopFollowUps(tx, userId, 'practice')
}

/**
 * Keeps practice and mail to real people apart: neither begins while the other has a run in progress, not even
 * through a mailbox disconnected meanwhile. `leaving` says which of the two is about to be left.
 *
 * @throws Refusal 409
 */
export async function refuseInRun(
  tx: Tx,
  userId: number,
  all: readonly Mailbox[],
  leaving: 'practice' | 'own account',
): Promise<void> {
  const inRun = await mailboxesInRun(tx, userId)
  const isPractice = leaving === 'practice'
  if (!all.some((row) => row.is_practice === isPractice && inRun.has(row.id))) return
  throw conflict(
    isPractice
      ? 'A practice run is still under way. Wait until it is done, or cancel it on the dashboard.'
      : 'Automatic mail through your own account is still under way. Wait until it has left, or cancel it.',
  )
}
