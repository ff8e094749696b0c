import type { QueryOf } from '#contract/endpoint.ts'
import type { InvoiceReminders, paymentReminders, Reminder } from '#contract/payment-reminders.ts'
import type { Context } from '../context.ts'
import { type DeliveryOutcome, deliveryOutcomes } from '../emails/emails.ts'
import { notFound } from '../errors.ts'
import { findInvoice, noInvoice, type Reader, type StoredInvoice, todayOf } from '../invoices/invoices.ts'
import { templateOf, wordsOf } from './reminder-words.ts'
import { openLink } from './send-reminders.ts'
import {
  countUpcoming,
  findReminder,
  findSettings,
  isSwitchedOff,
  type ReminderRow,
  remindersOf,
  type SettingsRow,
  upcomingReminders,
} from './store.ts'

const LIST_MAX = 200

/** A page of the reminders that are going to leave. */
export async function pageOfReminders(
  context: Context,
  user: Reader,
  { page, page_size, limit }: QueryOf<typeof paymentReminders.list>,
): Promise<{ rows: Reminder[]; total: number; page: number; pageSize: number }> {
  const pageSize = Math.min(page_size ?? limit ?? LIST_MAX, LIST_MAX)
  const [rows, total] = await Promise.all([
    upcomingReminders(context.db, user.id, { limit: pageSize, offset: (page - 1) * pageSize }),
    countUpcoming(context.db, user.id),
  ])
  return { rows: await presentAll(context, user, rows), total, page, pageSize }
}

/** The reminders of an invoice. @throws Refusal 404 */
export async function remindersOfInvoice(
  context: Context,
  user: Reader,
  id: number,
): Promise<InvoiceReminders> {
  const { clock, db } = context
  if ((await findInvoice(db, user.id, id, todayOf(clock, user.timeZone))) === undefined) throw noInvoice()
  const [settings, isOff, rows] = await Promise.all([
    findSettings(db, user.id),
    isSwitchedOff(db, user.id, id),
    remindersOf(db, user.id, id),
  ])
  return {
    on: settings?.is_on === true,
    on_here: !isOff,
    reminders: await presentAll(context, user, rows),
  }
}

/** One reminder. @throws Refusal 404 */
export async function getReminder(context: Context, user: Reader, id: number): Promise<Reminder> {
  const row = await findReminder(context.db, user.id, id)
  const [shown] = row === undefined ? [] : await presentAll(context, user, [row])
  if (shown === undefined) throw noReminder()
  return shown
}

export const noReminder = () => notFound('This reminder does not exist.')

async function presentAll(context: Context, user: Reader, rows: readonly ReminderRow[]): Promise<Reminder[]> {
  const { clock, db } = context
  const settings = await findSettings(db, user.id)
  if (settings === undefined) return []
  const today = todayOf(clock, user.timeZone)
  const invoices = new Map<number, StoredInvoice>()
  for (const id of new Set(rows.map((row) => row.invoice_id))) {
    const invoice = await findInvoice(db, user.id, id, today)
    if (invoice !== undefined) invoices.set(id, invoice)
  }
  const mails = rows.flatMap(({ email_id }) => (email_id === null ? [] : [email_id]))
  const outcomes = await deliveryOutcomes(db, user.id, mails)
  const shown: Reminder[] = []
  for (const row of rows) {
    const invoice = invoices.get(row.invoice_id)
    if (invoice === undefined) continue
    const outcome = outcomes.get(row.email_id ?? 0)
    shown.push({ ...(await present(context, row, invoice, settings)), ...failureOf(row, outcome) })
  }
  return shown
}

/** What has become of the mail of a reminder, if it did not arrive. */
function failureOf(
  { state }: ReminderRow,
  outcome: DeliveryOutcome | undefined,
): Pick<Reminder, 'state' | 'reason'> | null {
  if (state !== 'sent' || outcome === undefined) return null
  if (outcome.state === 'failed') return { state: 'stopped', reason: outcome.reason }
  return outcome.state === 'draft' ? { state: 'stopped', reason: 'You have taken it back' } : null
}

async function present(
  context: Context,
  row: ReminderRow,
  invoice: StoredInvoice,
  settings: SettingsRow,
): Promise<Reminder> {
  const isSent = row.email_id !== null
  const link = isSent ? null : await openLink(context, row.user_id, row.invoice_id)
  const template = templateOf(row, settings)
  const words = isSent
    ? { to: row.to_line ?? '', ...template }
    : await wordsOf(context.db, invoice, template, link)
  return {
    id: row.id,
    invoice_id: row.invoice_id,
    number: invoice.number ?? '',
    customer: invoice.customer,
    to: words.to,
    days: row.days,
    send_at: (row.settled_at ?? row.due_at).toISOString(),
    state: row.state === 'withdrawn' ? 'stopped' : row.state,
    reason: row.reason,
    subject: words.subject,
    text: words.text,
    template,
    edited: !isSent && row.text !== null,
  }
}
