import type { BodyOf, Given } from '#contract/platform/endpoint.ts'
import {
  RECURRING_MAX,
  type RecurringInvoice,
  type recurringInvoices,
} from '#contract/invoicing/recurring-invoices.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { wrongFields } from '../draft-content.ts'
import { type Reader, todayOf } from '../today.ts'
import { getRecurring, noRecurring } from './list-recurring.ts'
import { beginOf, dateOfPeriod, periodFrom } from './periods.ts'
import {
  changeRecurring,
  countRecurring,
  lockDueBy,
  lockRecurring,
  pauseAllRecurring,
  type StoredRecurring,
} from './recurring-store.ts'
import { checkComplete, checkLength, copyContent } from './repeat-invoice.ts'
import { counted } from '#contract/platform/counted.ts'
import type { Cleared } from '../../../accounts/auth/auth.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** Changes a schedule; what it has made stays. @throws Refusal 404; 400 for days that cannot be; 409 */
export async function updateRecurring(
  context: Context,
  user: Reader,
  id: number,
  { invoice_id, ...changes }: BodyOf<typeof recurringInvoices.update>,
): Promise<Given<RecurringInvoice>> {
  const { clock, db } = context
  await inTransaction(db, async (tx) => {
    const row = await lockRecurring(tx, user.id, id)
    if (row === undefined) throw noRecurring()
    const { every = row.every, makes = row.makes, next_on = row.next_on } = changes
    const { ends_on = row.ends_on, times = row.times } = changes
    if (next_on !== row.next_on) checkNextDay(row, next_on, todayOf(clock, user.timeZone))
    checkLength({ next_on, ends_on, times, made: row.made })
    const copied =
      invoice_id === undefined ? null : await copyContent(tx, user.id, invoice_id, { makes, day: next_on })
    if (copied === null && makes === 'issued' && row.makes === 'draft') checkComplete(row.content, 1)
    const isMoved = next_on !== row.next_on || every !== row.every
    const moved = isMoved
      ? {
          next_on,
          anchor_on: next_on,
          anchor_period: row.next_period,
          time_zone: user.timeZone,
          due_at: row.state === 'active' ? beginOf(next_on, user.timeZone) : null,
        }
      : {}
    await changeRecurring(
      tx,
      user.id,
      id,
      { ...moved, ...copied, every, makes, ends_on, times, fault: '' },
      clock.now(),
    )
    await context.live.publish(tx, user.id, { topic: 'invoices' })
  })
  return getRecurring(context, user, id)
}

function checkNextDay({ last_on }: StoredRecurring, day: string, today: string): void {
  if (day < today) throw wrongFields({ next_on: 'Please choose today or a later day' })
  if (last_on !== null && day <= last_on)
    throw wrongFields({ next_on: 'The last invoice is of this day or later. Please choose a later day' })
}

/**
 * Pauses a schedule, ends it, or lets it go on. What would have been made meanwhile is not made.
 *
 * @throws Refusal 404; 409 when all of its invoices have been made
 */
export async function setRecurringState(
  context: Context,
  user: Reader,
  id: number,
  { state }: BodyOf<typeof recurringInvoices.setState>,
): Promise<Given<RecurringInvoice>> {
  const { clock, db } = context
  await inTransaction(db, async (tx) => {
    const row = await lockRecurring(tx, user.id, id)
    if (row === undefined) throw noRecurring()
    if (row.state === state) return
    if (row.state === 'ended' && (await countRecurring(tx, user.id)).going >= RECURRING_MAX)
      throw conflict(`You have ${RECURRING_MAX} recurring invoices. Please end one of them first.`)
    const next = state === 'active' ? goingOn(row, todayOf(clock, row.time_zone)) : { due_at: null }
    await changeRecurring(tx, user.id, id, { ...next, state }, clock.now())
    await context.live.publish(tx, user.id, { topic: 'invoices' })
  })
  return getRecurring(context, user, id)
}

/** Where a schedule stands that goes on today. @throws Refusal 409 */
function goingOn(row: StoredRecurring, today: string) {
  const period = periodFrom(row, row.next_period, today)
  const nextOn = dateOfPeriod(row, period)
  if ((row.times !== null && row.made >= row.times) || (row.ends_on !== null && nextOn > row.ends_on))
    throw conflict('All of its invoices have been made. Please change how long it goes on first.')
  return { next_period: period, next_on: nextOn, due_at: beginOf(nextOn, row.time_zone) }
}

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
