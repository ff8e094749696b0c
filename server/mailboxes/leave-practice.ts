import { conflict } from '../errors.ts'
import { type Mailbox, mailboxesInRun } from './store.ts'
import type { Tx } from '../database/handles.ts'

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
      : 'A run through your own account is still under way. Wait until it is done, or cancel it on the dashboard.',
  )
}
