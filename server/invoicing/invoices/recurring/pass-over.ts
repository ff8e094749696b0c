import { counted } from '#contract/platform/counted.ts'
import type { Cleared } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { todayOf } from '../today.ts'
import { beginOf, dateOfPeriod, periodFrom } from './periods.ts'
import { changeRecurring, lockDueBy, pauseAllRecurring, type StoredRecurring } from './recurring-store.ts'

/**
 * Moves the user's schedules past a time: the house that a backup was taken from may have made what was due by then. It counts as
 * made, so a schedule of twelve invoices does not make a thirteenth.
 */
export async function passOverRecurring(tx: Tx, userId: number, by: Date, now: Date): Promise<void> {
  for (const row of await lockDueBy(tx, userId, by))
    await changeRecurring(tx, userId, row.id, passedOver(row, by), now)
}

/** Schedules may have been set up by a stranger: none makes an invoice until its owner goes on with it. */
export async function pauseRecurring(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const count = await pauseAllRecurring(tx, userId, context.clock.now())
  if (count === 0) return { told: [] }
  await context.live.publish(tx, userId, { topic: 'invoices' })
  return { told: [`${counted(count, 'recurring invoice is', 'recurring invoices are')} paused.`] }
}

function passedOver(row: StoredRecurring, by: Date) {
  const day = todayOf({ now: () => by }, row.time_zone)
  const upcoming = periodFrom(row, row.next_period, day)
  const passed = upcoming - row.next_period + (dateOfPeriod(row, upcoming) === day ? 1 : 0)
  const left = row.times === null ? passed : row.times - row.made
  const made = row.made + Math.min(passed, left)
  const period = row.next_period + Math.min(passed, left)
  const nextOn = dateOfPeriod(row, period)
  const isOver = (row.times !== null && made >= row.times) || (row.ends_on !== null && nextOn > row.ends_on)
  return {
    made,
    next_period: period,
    next_on: nextOn,
    last_on: dateOfPeriod(row, period - 1),
    state: isOver ? ('ended' as const) : row.state,
    due_at: isOver ? null : beginOf(nextOn, row.time_zone),
  }
}
