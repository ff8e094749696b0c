import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { lockInvoice, type StoredInvoice, todayOf } from '../invoices/invoices.ts'
import {
  addReminder,
  changeReminder,
  findSettings,
  isSwitchedOff,
  openPlanWork,
  type PlanWork,
  type ReminderRow,
  remindersOf,
  removeReminder,
  type SettingsRow,
  takePlanWork,
} from './store.ts'
import { Temporal } from 'temporal-polyfill'

const AT_ONCE = 200
/** What could not be sent is tried again after this time. */
export const TRY_AGAIN_MS = 60_000

/** Plans the reminders of every invoice that was issued or paid, or whose settings have changed. */
export async function planReminders(context: Context): Promise<void> {
  for (;;) {
    const work = await openPlanWork(context.db, AT_ONCE)
    const planned: PlanWork[] = []
    for (const one of work) {
      if (context.stopping.aborted) break
      if (await planWork(context, one)) planned.push(one)
    }
    for (const userId of new Set(planned.map((one) => one.user_id)))
      await context.live.publish(context.db, userId, { topic: 'invoices' })
    if (planned.length < AT_ONCE) return
  }
}

async function planWork(context: Context, work: PlanWork): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    // The invoice first, as in a payment: whoever locks both in another order could wait for ever.
    const invoice = await lockInvoice(tx, work.user_id, work.invoice_id)
    if (!(await takePlanWork(tx, work))) return false
    if (invoice !== undefined) await planInvoice(context, tx, invoice)
    return true
  })
}

/** Why an invoice is not reminded of; null if it is. */
export async function stopReason(tx: Tx, invoice: StoredInvoice, settings: SettingsRow | undefined) {
  if (invoice.issued_at === null || invoice.kind !== 'invoice') return 'This is not an issued invoice'
  if (invoice.due === 0)
    return invoice.credited > 0 ? 'A credit note has taken the invoice back' : 'The invoice has been paid'
  if (invoice.sent_at === null) return 'The invoice has not been sent by email'
  if (settings?.is_on !== true) return 'Reminders are switched off'
  if (await isSwitchedOff(tx, invoice.user_id, invoice.id)) return 'Switched off for this invoice'
  return null
}

/**
 * Brings the reminders of a locked invoice in line with its settings. Only what is still to come is planned: who switches
 * reminders on does not remind of all that is late already.
 */
export async function planInvoice({ clock }: Context, tx: Tx, invoice: StoredInvoice): Promise<void> {
  const { user_id: userId, id: invoiceId } = invoice
  const settings = await findSettings(tx, userId)
  const rows = await remindersOf(tx, userId, invoiceId)
  const why = await stopReason(tx, invoice, settings)
  if (why !== null || settings === undefined) {
    for (const row of rows)
      if (row.state === 'upcoming') await changeReminder(tx, row, { state: 'stopped', reason: why })
    return
  }
  const wanted = [...settings.days_before.map((days) => -days), ...settings.days_after]
  for (const row of rows)
    if (row.state === 'upcoming' && !wanted.includes(row.days)) await removeReminder(tx, row)
  const now = clock.now()
  const byDays = new Map(rows.map((row) => [row.days, row]))
  for (const days of wanted) {
    const before = byDays.get(days)
    if (before?.state === 'upcoming') {
      const due_at = dueAt(invoice.due_date, before, settings)
      if (!isPutOff(before, due_at, now)) await changeReminder(tx, before, { due_at })
    } else await planOneOf(tx, invoice, settings, { days, before, now })
  }
}

async function planOneOf(
  tx: Tx,
  invoice: StoredInvoice,
  settings: SettingsRow,
  { days, before, now }: { days: number; before: ReminderRow | undefined; now: Date },
): Promise<void> {
  const { user_id, id: invoice_id, due_date } = invoice
  if (before !== undefined && before.state !== 'stopped') return
  if (hourOf(due_date, days, settings) <= now) return
  const due_at = dueAt(due_date, { days, shown_at: now, text: before?.text ?? null }, settings)
  // What is to come before the due date is of no use after it.
  if (days < 0 && dayIn(due_at, settings) > due_date) return
  const fresh = { shown_at: now, due_at, state: 'upcoming' as const, reason: null }
  if (before === undefined) await addReminder(tx, { user_id, invoice_id, days, ...fresh })
  else await changeReminder(tx, before, fresh)
}

/** True if a reminder is due, could not be sent, and waits a moment. */
function isPutOff({ due_at }: ReminderRow, planned: Date, now: Date): boolean {
  return planned <= now && due_at > now && due_at.getTime() <= now.getTime() + TRY_AGAIN_MS
}

const dayIn = (at: Date, { time_zone }: SettingsRow) => todayOf({ now: () => at }, time_zone)

/** True if a reminder is for a time before the due date, which has gone. */
export function isTooLate(
  { days }: Pick<ReminderRow, 'days'>,
  invoice: StoredInvoice,
  settings: SettingsRow,
  now: Date,
): boolean {
  return days < 0 && dayIn(now, settings) > dayOf(invoice.due_date, 0)
}

/** A reminder's words are to be seen for so long before they leave. */
const SHOWN_MS = 24 * 60 * 60_000

/** The day that is so many days after a due date; before it below 0. */
function dayOf(dueDate: string, days: number): string {
  return Temporal.PlainDate.from(dueDate).add({ days }).toString()
}

/** When a reminder would leave if it had been seen long enough: at the hour of the settings, in their zone. */
function hourOf(dueDate: string, days: number, { hour, time_zone }: SettingsRow): Date {
  const day = Temporal.PlainDate.from(dayOf(dueDate, days))
  const at = day.toZonedDateTime({ timeZone: time_zone, plainTime: { hour } })
  return new Date(at.epochMilliseconds)
}

/** When it leaves: at its hour, but not before its words have been seen for a day. */
export function dueAt(
  dueDate: string,
  { days, shown_at, text }: { days: number; shown_at: Date; text: string | null },
  settings: SettingsRow,
): Date {
  const shown =
    text === null ? Math.max(shown_at.getTime(), settings.words_changed_at.getTime()) : shown_at.getTime()
  return new Date(Math.max(hourOf(dueDate, days, settings).getTime(), shown + SHOWN_MS))
}
