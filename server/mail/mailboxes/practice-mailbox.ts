import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { updateAccounts, primaryOf, settleAccounts } from './accounts-of-user.ts'
import { stopFollowUps } from './follow-ups-store.ts'
import { addMailbox, changeMailbox, leavePractice, type Mailbox, mailboxesInRun } from './store.ts'

/**
 * Puts the practice mailbox in use. The user's own accounts stay connected and are still synced.
 *
 * @throws Refusal 409 while a run or automatic mail through one of them is under way
 */
export async function usePracticeMailbox(
  context: Context,
  user: { id: number; email: string },
): Promise<void> {
  await updateAccounts(context, user.id, async (tx, all) => {
    await refuseInRun(tx, user.id, all, 'own account')
    const practice =
      all.find((row) => row.is_practice) ??
      (await addMailbox(tx, user.id, {
        is_primary: false,
        is_practice: true,
        address: user.email,
        created_at: context.clock.now(),
      }))
    await changeMailbox(tx, user.id, practice.id, {
      address: user.email,
      disconnected_at: null,
      last_error: null,
      send_pause_until: null,
    })
    await settleAccounts(tx, user.id)
  })
}

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
async function refuseInRun(
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
