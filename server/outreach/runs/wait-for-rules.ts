import type { Standing } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { holdGroup } from '../../mail/emails/emails.ts'
import { releaseMails } from './release-mails.ts'
import { type BatchRow, keepRunning, noteWaiting } from './store.ts'

/** A run that only its user can let go on looks again after this long, should nothing wake it. */
export const LOOK_AGAIN_MS = 60_000

/**
 * Lets a run wait for what its account has to wait for. Mails that are queued wait too, except for tomorrow's share of a new
 * address: they are of today's.
 */
export async function waitForRules(
  context: Context,
  batch: BatchRow,
  refused: NonNullable<Standing['refused']>,
  today: string,
): Promise<void> {
  const { user_id: userId, id } = batch
  await inTransaction(context.db, async (tx) => {
    if (!(await keepRunning(tx, userId, id))) return
    if (refused.kind === 'warm_up') await releaseMails(context, tx, batch, today)
    else await holdGroup(tx, userId, id)
    const again = refused.until ?? new Date(context.clock.now().getTime() + LOOK_AGAIN_MS)
    await noteWaiting(tx, userId, id, refused.kind, again)
    if (batch.waits_for !== refused.kind) await context.live.publish(tx, userId, { topic: 'outreach' })
  })
}

/** Lets a run go on that has waited. */
export async function goOn(context: Context, batch: BatchRow, today: string): Promise<void> {
  const { user_id: userId, id } = batch
  await inTransaction(context.db, async (tx) => {
    if (!(await keepRunning(tx, userId, id))) return
    await releaseMails(context, tx, batch, today)
    await noteWaiting(tx, userId, id, null, null)
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
}
