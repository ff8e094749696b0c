import type { QueryOf } from '#contract/platform/endpoint.ts'
import type { InvoiceReminders, paymentReminders, Reminder } from '#contract/invoicing/payment-reminders.ts'
import { counted } from '#contract/platform/counted.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import { isConfigured, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import type { Context } from '../../platform/context.ts'
import { type DeliveryOutcome, deliveryOutcomes } from '../../mail/emails/emails.ts'
import { notFound } from '../../platform/errors.ts'
import { findInvoice, noInvoice, type Reader, todayOf } from '../invoices/invoices.ts'
import { recipientsOf, templateOf, wordsOf } from './reminder-words.ts'
import { openLinks } from './send-reminders.ts'
import {
  countUpcoming,
  findReminder,
  findSettings,
  isSwitchedOff,
  type RemindedInvoice,
  remindedInvoices,
  type ReminderRow,
  remindersOf,
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
    upcomingReminders(context.db, user.id, {
      limit: pageSize,
      offset: (page - 1) * pageSize,
      contactId: null,
    }),
    countUpcoming(context.db, user.id),
  ])
  return { rows: await presentAll(context, user, rows), total, page, pageSize }
}

/** The reminders that are planned, as what Howl does by itself next; of one contact, those of its invoices. */
export async function plannedReminders(
  { db }: Context,
  { userId, contactId, most }: { userId: number; contactId: number | null; most: number },
) {
  const rows = await upcomingReminders(db, userId, { limit: most, offset: 0, contactId })
  const invoices = await remindedInvoices(db, userId, [...new Set(rows.map((row) => row.invoice_id))])
  const ids = [...invoices.values()].flatMap(({ contact_id: id }) => id ?? [])
  const [contacts, account] = await Promise.all([contactsById(db, userId, ids), primaryMailbox(db, userId)])
  const waits = !isConfigured(account)
    ? 'Can’t be sent: no email account is connected'
    : account.is_practice
      ? 'Can’t be sent while you’re practising'
      : null
  return rows.flatMap(({ id, invoice_id: invoiceId, days, due_at: due }) => {
    const invoice = invoices.get(invoiceId)
    if (invoice === undefined) return []
    const when = `${counted(Math.abs(days), 'day', 'days')} ${days < 0 ? 'before' : 'after'} the due date`
    return {
      id: `reminder ${id}`,
      source: 'payment_reminder' as const,
      of: invoiceId,
      // It may have been deleted.
      contact_id: contacts.get(invoice.contact_id ?? 0)?.id ?? null,
      name: invoice.customer,
      email: invoice.content.buyer.email,
      sentence: `The reminder for invoice ${invoice.number ?? ''} ${when} goes out unless it’s paid.`,
      due,
      waits,
    }
  })
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
  const { db } = context
  const settings = await findSettings(db, user.id)
  if (settings === undefined || rows.length === 0) return []
  const invoices = await remindedInvoices(db, user.id, [...new Set(rows.map((row) => row.invoice_id))])
  const [links, recipients, outcomes] = await Promise.all([
    openLinks(context, user.id, [...invoices.keys()]),
    recipientsOf(db, user.id, [...invoices.values()]),
    mailOutcomes(context, user.id, rows),
  ])
  return rows.flatMap((row) => {
    const invoice = invoices.get(row.invoice_id)
    if (invoice === undefined) return []
    const template = templateOf(row, settings)
    const outcome = outcomes.get(row.email_id ?? 0)
    const words = isOnItsWay(row, outcome)
      ? sentWords(row)
      : wordsOf(invoice, template, links.get(invoice.id) ?? null, recipients.get(invoice.id))
    return [{ ...present(row, invoice, outcome), ...words, template }]
  })
}

/** What became of the mails of reminders. */
export async function mailOutcomes(
  { db }: Context,
  userId: number,
  rows: readonly ReminderRow[],
): Promise<Map<number, DeliveryOutcome>> {
  const mails = rows.flatMap(({ email_id }) => (email_id === null ? [] : [email_id]))
  return deliveryOutcomes(db, userId, mails)
}

/** True if a mail of the reminder has left or is about to: it was neither refused nor taken back. */
export function isOnItsWay({ state }: ReminderRow, outcome: DeliveryOutcome | undefined): boolean {
  return state === 'sent' && outcome?.state !== 'failed' && outcome?.state !== 'draft'
}

const sentWords = (row: ReminderRow) => ({
  to: row.to_line ?? '',
  cc: row.cc_line ?? '',
  subject: row.sent_subject ?? '',
  text: row.sent_text ?? '',
})

function present(
  row: ReminderRow,
  { customer, number }: RemindedInvoice,
  outcome: DeliveryOutcome | undefined,
): Omit<Reminder, 'to' | 'cc' | 'subject' | 'text' | 'template'> {
  return {
    id: row.id,
    invoice_id: row.invoice_id,
    number: number ?? '',
    customer,
    days: row.days,
    send_at: (row.settled_at ?? row.due_at).toISOString(),
    edited: row.text !== null,
    ...fateOf(row, outcome),
  }
}

/** What became of a reminder: once it has a mail, what became of that. */
function fateOf(
  { state, reason }: ReminderRow,
  outcome: DeliveryOutcome | undefined,
): Pick<Reminder, 'state' | 'reason'> {
  if (state === 'withdrawn') return { state: 'stopped', reason }
  if (state !== 'sent') return { state, reason }
  if (outcome?.state === 'waiting') return { state: 'waiting', reason: outcome.reason }
  if (outcome?.state === 'failed') return { state: 'stopped', reason: outcome.reason }
  if (outcome?.state === 'draft') return { state: 'stopped', reason: 'You have taken it back' }
  return { state, reason }
}
