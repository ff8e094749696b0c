import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { dayAt } from './day.ts'
import { aliveSince } from './limits.ts'
import { deadUses, endUse, forgetDays, forgetUses, lockUses } from './store.ts'
import { giveBackToInstance } from './take-ai-request.ts'

const EVERY_MS = 5 * 60_000
/** Rows of one step. */
const AT_ONCE = 500
/** As long as uses are kept: a year can be compared with the month before. */
const KEPT_MONTHS = 13
const DAY_MS = 24 * 60 * 60_000

/** Gives back what died with its process, and clears away what is old. */
export function startAiRequestLoops(context: Context): Loop[] {
  return [startLoop(context, 'settle AI requests', EVERY_MS, () => settleUses(context))]
}

/** One step of the loop. */
export async function settleUses(context: Context): Promise<void> {
  const { clock, db, stopping } = context
  const now = clock.now()
  // Nobody knows what the model has done for them; the place in the limit is free again.
  const end = { state: 'failed', input_tokens: 0, output_tokens: 0, milliseconds: 0, cost: null } as const
  for (const { user_id: userId, id, is_own: isOwn, started_at: startedAt } of await deadUses(
    db,
    aliveSince(now),
    AT_ONCE,
  ))
    await inTransaction(db, async (tx) => {
      await lockUses(tx, userId)
      const paidBy = await endUse(tx, userId, id, { ...end, ended_at: now })
      if (paidBy !== undefined && !isOwn) await giveBackToInstance(context, tx, startedAt)
    })
  const old = new Date(now)
  old.setUTCMonth(old.getUTCMonth() - KEPT_MONTHS)
  while ((await forgetUses(db, old, AT_ONCE)) === AT_ONCE && !stopping.aborted);
  const instanceBefore = dayAt(new Date(now.getTime() - 2 * DAY_MS), 'UTC').date
  await forgetDays(db, dayAt(new Date(old.getTime() - DAY_MS), 'UTC').date, instanceBefore)
}
