import { CATCH_UP_MAX } from '#contract/invoicing/recurring-invoices.ts'
import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/errors.ts'
import { type Loop, startDueLoop } from '../../../platform/jobs/loop.ts'
import { currentRates } from '../../rates/rates.ts'
import { columnsOf, type Rate } from '../draft-content.ts'
import { faultsOf, issue } from '../issue-invoice.ts'
import { rateIn } from '../save-draft.ts'
import { lockedInvoice } from '../find-invoice.ts'
import { insertInvoice } from '../store.ts'
import { todayOf } from '../today.ts'
import { beginOf, datedContent, dateOfPeriod, periodFrom } from './periods.ts'
import {
  changeRecurring,
  dueRecurring,
  type DueRecurring,
  type StoredRecurring,
  takeDue,
} from './recurring-store.ts'

const LOOK_EVERY_MS = 5000
const AT_ONCE = 100
const TRY_AGAIN_MS = 60_000

/** Starts the loop that makes recurring invoices on their day. */
export function startMakingInvoices(context: Context): Loop {
  return startDueLoop(context, 'make recurring invoices', LOOK_EVERY_MS, () => makeDueInvoices(context))
}

/** Makes every recurring invoice that is due; after a stop of the server also those that were missed. */
export async function makeDueInvoices(context: Context): Promise<void> {
  for (;;) {
    const due = await dueRecurring(context.db, context.clock.now(), AT_ONCE)
    for (const one of due) {
      if (context.stopping.aborted) return
      await makeOrPutOff(context, one)
    }
    if (due.length < AT_ONCE) return
  }
}

async function makeOrPutOff(context: Context, due: DueRecurring): Promise<void> {
  try {
    while (!context.stopping.aborted && (await makeNext(context, due)));
  } catch (error) {
    context.log.warn({ err: error, ...due }, 'a recurring invoice could not be made; it will be retried')
    const now = context.clock.now()
    await inTransaction(context.db, async (tx) => {
      if ((await takeDue(tx, due, now)) === undefined) return
      const at = new Date(now.getTime() + TRY_AGAIN_MS)
      await changeRecurring(tx, due.user_id, due.id, { due_at: at }, now)
    })
  }
}

/**
 * Makes the next invoice of a schedule and moves the schedule on, in one transaction: a kill at any moment loses none, and
 * two workers make none twice.
 *
 * @returns false when nothing is due any more
 */
async function makeNext(context: Context, due: DueRecurring): Promise<boolean> {
  const rates = await currentRates(context)
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const row = await takeDue(tx, due, now)
    if (row === undefined) return false
    const today = todayOf(context.clock, row.time_zone)
    const period = firstToMake(row, today)
    const day = dateOfPeriod(row, period)
    const after = movedOn(row, period)
    const content = datedContent(row.content, day)
    let fault = ''
    try {
      fault = await make(context, tx, row, { period, content, rate: rateIn(rates, content) })
    } catch (error) {
      // At today's rate it is too large for an invoice: nothing was written yet.
      if (!(error instanceof Refusal)) throw error
      await changeRecurring(
        tx,
        row.user_id,
        row.id,
        { state: 'paused', due_at: null, fault: error.message },
        now,
      )
      await context.live.publish(tx, row.user_id, { topic: 'invoices' })
      return false
    }
    await changeRecurring(tx, row.user_id, row.id, { ...after, last_on: day, made: row.made + 1, fault }, now)
    await context.live.publish(tx, row.user_id, { topic: 'invoices' })
    return true
  })
}

/** The next period, or the oldest of the latest `CATCH_UP_MAX` that were missed. */
function firstToMake(row: StoredRecurring, today: string): number {
  const until = row.ends_on !== null && row.ends_on < today ? row.ends_on : today
  const upcoming = periodFrom(row, row.next_period, until)
  const isDue = dateOfPeriod(row, upcoming) === until
  return Math.max(row.next_period, upcoming + (isDue ? 1 : 0) - CATCH_UP_MAX)
}

/** Where a schedule stands after one of its periods was made. */
function movedOn(row: StoredRecurring, period: number) {
  const next = period + 1
  const nextOn = dateOfPeriod(row, next)
  const isOver =
    (row.times !== null && row.made + 1 >= row.times) || (row.ends_on !== null && nextOn > row.ends_on)
  return {
    next_period: next,
    next_on: nextOn,
    state: isOver ? ('ended' as const) : row.state,
    due_at: isOver ? null : beginOf(nextOn, row.time_zone),
  }
}

/** Writes the invoice of a period. Returns why it stayed a draft although it was to be issued; else ''. */
async function make(
  context: Context,
  tx: Tx,
  row: StoredRecurring,
  { period, content, rate }: { period: number; content: StoredRecurring['content']; rate: Rate },
): Promise<string> {
  const { user_id: userId } = row
  const id = await insertInvoice(
    tx,
    userId,
    {
      ...columnsOf(content, rate, 'invoice'),
      kind: 'invoice',
      contact_id: row.contact_id,
      recurring_id: row.id,
      recurring_period: period,
    },
    context.clock.now(),
  )
  if (row.makes === 'draft') return ''
  const [why] = Object.values(faultsOf(content, 'invoice', rate))
  if (why !== undefined) return why
  await issue(context, tx, await lockedInvoice(tx, userId, id), rate)
  return ''
}
