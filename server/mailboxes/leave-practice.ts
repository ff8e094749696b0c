import { conflict } from '../errors.ts'
import { type Mailbox, mailboxesInRun } from './store.ts'
import type { Tx } from '../database/handles.ts'

/**
 * Practice and mail to real people are kept apart: neither begins while a run of the other is under way, not even
 * through a mailbox that is disconnected meanwhile. `leaving` says which of the two is about to be left.
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
      : 'A run through your own account is still under way. Wait until it is done, or cancel it on the dashboard.',
  )
}
