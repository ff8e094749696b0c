import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { InvoiceReminders, paymentReminders, Reminder } from '#contract/invoicing/payment-reminders.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, Refusal } from '../../platform/errors.ts'
import { lockedInvoice, lockInvoice, type Reader } from '../invoices/invoices.ts'
import { dueAt, planInvoice, stopReason } from './plan-reminders.ts'
import { templateOf } from './reminder-words.ts'
import { NotDue, sendReminder } from './send-reminders.ts'
import { getReminder, isOnItsWay, mailOutcomes, noReminder, remindersOfInvoice } from './show-reminders.ts'
import {
  changeReminder,
  findReminder,
  findSettings,
  lockReminder,
  NO_MAIL,
  type ReminderRow,
  switchInvoice,
  withdrawWaiting,
} from './store.ts'
import { changing } from '../../platform/changing.ts'

/** Switches the reminders of one invoice off or on; one whose mail still waits is taken back. @throws Refusal 404 */
export async function switchReminders(
  context: Context,
  user: Reader,
  id: number,
  isOn: boolean,
): Promise<InvoiceReminders> {
  await changing(context, user.id, 'invoices', async (tx) => {
    const invoice = await lockedInvoice(tx, user.id, id)
    await switchInvoice(tx, user.id, id, isOn)
    if (!isOn) await withdrawWaiting(tx, user.id, id, 'Switched off for this invoice', context.clock.now())
    await planInvoice(context, tx, invoice)
  })
  return remindersOfInvoice(context, user, id)
}

/** Changes the words of a reminder, skips it, or takes that back. @throws Refusal 404; 409 once it has been sent */
export async function updateReminder(
  context: Context,
  user: Reader,
  id: number,
  { skipped, ...words }: BodyOf<typeof paymentReminders.update>,
): Promise<Reminder> {
  await releaseUnsent(context, user, id)
  await changing(context, user.id, 'invoices', async (tx) => {
    const { invoice, row, settings } = await lockAll(tx, user.id, id)
    if (row.state === 'sent' || row.state === 'withdrawn')
      throw conflict('This reminder has been sent, or is on its way.')
    const isReworded = words.subject !== undefined || words.text !== undefined
    if (isReworded) {
      const before = templateOf(row, settings)
      row.subject = words.subject ?? before.subject
      row.text = words.text ?? before.text
    }
    if (skipped === true && row.state === 'upcoming') row.state = 'skipped'
    if (skipped === false && row.state === 'skipped') {
      const why = await stopReason(tx, invoice, settings)
      if (why !== null) throw conflict(`${why}.`)
      row.state = 'upcoming'
    }
    const { subject, text, state } = row
    const due_at = dueAt(invoice.due_date, row, settings)
    await changeReminder(tx, row, { subject, text, state, due_at })
  })
  return getReminder(context, user, id)
}

/** The invoice first, as in a payment. */
async function lockAll(tx: Tx, userId: number, id: number) {
  const found = await findReminder(tx, userId, id)
  const invoice = found && (await lockInvoice(tx, userId, found.invoice_id))
  const settings = await findSettings(tx, userId)
  const row = await lockReminder(tx, { user_id: userId, id })
  if (invoice === undefined || row === undefined || settings === undefined) throw noReminder()
  return { invoice, row, settings }
}

/**
 * Sends a reminder at once. One that has been sent or waits is answered as it is: twenty clicks send one. One whose mail was
 * refused or taken back is sent anew.
 *
 * @throws Refusal 404; 409 when nothing is left to pay, and in practice; as in Compose
 */
export async function sendNow(context: Context, user: Reader, id: number): Promise<Reminder> {
  const row = await releaseUnsent(context, user, id)
  if (row.state !== 'sent') {
    try {
      await sendReminder(context, user, row, { byHand: true })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'MAIL_SERVER') await noteRefused(context, row, error)
      if (!(error instanceof NotDue)) throw error
      const now = await findReminder(context.db, user.id, id)
      if (now?.state !== 'sent') throw hasChanged()
    }
  }
  return getReminder(context, user, id)
}

const hasChanged = () =>
  conflict('This reminder can no longer be sent: the invoice or its reminders have just changed.')

/** The reminder; one whose mail was refused or taken back has not been sent, and has no mail any more. @throws Refusal 404 */
async function releaseUnsent(context: Context, user: Reader, id: number): Promise<ReminderRow> {
  const row = await findReminder(context.db, user.id, id)
  if (row === undefined) throw noReminder()
  if (row.state !== 'sent') return row
  const outcome = (await mailOutcomes(context, user.id, [row])).get(row.email_id ?? 0)
  if (isOnItsWay(row, outcome)) return row
  await inTransaction(context.db, async (tx) => {
    const current = await lockReminder(tx, row)
    if (current?.state === 'sent' && current.email_id === row.email_id)
      await changeReminder(tx, row, { ...NO_MAIL, state: 'stopped', reason: outcome?.reason ?? null })
  })
  return (await findReminder(context.db, user.id, id)) ?? row
}

/** The mail server refused it: it has not been sent, and can be sent again. @throws Refusal 409 if it was taken back */
async function noteRefused(context: Context, row: ReminderRow, { message }: Refusal): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const current = await lockReminder(tx, row)
    if (current?.state === 'withdrawn') throw hasChanged()
    if (current?.state === 'sent')
      await changeReminder(tx, row, { ...NO_MAIL, state: 'stopped', reason: message })
  })
}
