import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import { inTransaction } from '../database/transaction.ts'
import { cancelEmail, discardDraft, senderFor } from '../emails/emails.ts'
import { invalidInput, Refusal } from '../errors.ts'
import { type InvoiceWords, linkOf, sendInvoice } from '../invoice-mail/invoice-mail.ts'
import { findInvoice, lockInvoice, type Reader, type StoredInvoice, todayOf } from '../invoices/invoices.ts'
import { isTooLate, stopReason } from './plan-reminders.ts'
import { dueAt } from './reminder-days.ts'
import { templateOf, wordsOf } from './reminder-words.ts'
import {
  changeReminder,
  dueReminders,
  findSettings,
  lockReminder,
  planOne,
  type ReminderRow,
  remindersOf,
  shareSettings,
  withdrawnReminders,
} from './store.ts'

const AT_ONCE = 100
const TRY_AGAIN_MS = 60_000
const PRACTICE = 'The practice mailbox is in use. Reminders leave from an account of your own'

/** Nothing is sent: since the reminder was looked up, something has changed. */
export class NotDue extends Error {
  constructor() {
    super('this reminder is not due')
  }
}

/** Sends every reminder that is due. Of one invoice only the newest goes, however long the server was off. */
export async function sendDueReminders(context: Context): Promise<void> {
  const due = await dueReminders(context.db, context.clock.now(), AT_ONCE)
  for (const row of due) {
    if (context.stopping.aborted) return
    try {
      await sendDue(context, row)
    } catch (error) {
      context.log.warn({ err: error, id: row.id }, 'a payment reminder could not be sent; it will be retried')
      await putOff(context, row)
    }
  }
}

async function sendDue(context: Context, row: ReminderRow): Promise<void> {
  const { user_id: userId, invoice_id: invoiceId } = row
  const settings = await findSettings(context.db, userId)
  const user = { id: userId, timeZone: settings?.time_zone ?? 'UTC' }
  if (await passOver(context, row)) return
  try {
    if ((await senderFor(context, userId, null)).mailbox.is_practice)
      return await stop(context, row, PRACTICE)
    await sendReminder(context, user, row, { byHand: false })
  } catch (error) {
    if (error instanceof NotDue) {
      await planOne(context.db, userId, invoiceId)
      await putOff(context, row)
    } else if (error instanceof Refusal && error.status !== 429) await stop(context, row, error.message)
    else throw error
  }
}

/** Sees to a reminder that is not to be sent any more: a newer one is due too, or its day has gone. */
async function passOver(context: Context, { user_id: userId, invoice_id: invoiceId, id }: ReminderRow) {
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const invoice = await lockInvoice(tx, userId, invoiceId)
    const settings = await findSettings(tx, userId)
    const row = await lockReminder(tx, { user_id: userId, id })
    if (row?.state !== 'upcoming' || row.due_at > now) return true
    if (invoice === undefined || settings === undefined) return false
    const newer = (await remindersOf(tx, userId, invoiceId)).some(
      (other) => other.state === 'upcoming' && other.due_at <= now && other.days > row.days,
    )
    const isLate = isTooLate(row, invoice, settings, now)
    if (!newer && !isLate) return false
    const reason = isLate ? 'Its day had passed' : 'A later reminder was due as well'
    await changeReminder(tx, row, { state: 'passed', reason })
    await context.live.publish(tx, userId, { topic: 'invoices' })
    return true
  })
}

/**
 * Sends a reminder. The last word is spoken with the invoice locked, in the transaction that hands the mail to delivery: a
 * payment is either seen, or comes later and takes the mail back.
 *
 * @throws NotDue; Refusal as in Compose
 */
export async function sendReminder(
  context: Context,
  user: Reader,
  row: ReminderRow,
  { byHand }: { byHand: boolean },
): Promise<void> {
  const { db, clock } = context
  const { user_id: userId, invoice_id: invoiceId } = row
  const settings = await findSettings(db, userId)
  const invoice = await findInvoice(db, userId, invoiceId, todayOf(clock, user.timeZone))
  if (settings === undefined || invoice === undefined) throw new NotDue()
  const link = await openLink(context, userId, invoiceId)
  const words = await wordsOf(db, invoice, templateOf(row, settings), link)
  if (words.to === '') throw invalidInput('The customer has no email address.')
  await sendInvoice(context, user, invoiceId, words, {
    kind: 'reminder',
    isQueued: !byHand,
    check: (tx, locked, mail) => take(context, tx, { locked, row, words, link, byHand, ...mail }),
  })
}

type Take = {
  locked: StoredInvoice
  row: ReminderRow
  words: InvoiceWords
  link: string | null
  byHand: boolean
  emailId: number
  isPractice: boolean
}

async function take(context: Context, tx: Tx, asked: Take): Promise<void> {
  const { locked, words, byHand } = asked
  const now = context.clock.now()
  const settings = await shareSettings(tx, locked.user_id)
  const row = await lockReminder(tx, asked.row)
  if (row === undefined || settings === undefined || row.state === 'sent' || row.state === 'withdrawn')
    throw new NotDue()
  const why = await stopReason(tx, locked, settings)
  // Who sends one by hand knows better than a switch, but not than a payment.
  if (byHand ? locked.due === 0 : why !== null) throw new NotDue()
  if (!byHand) {
    const isDue = row.state === 'upcoming' && dueAt(locked.due_date, row, settings) <= now
    if (!isDue || asked.isPractice) throw new NotDue()
  }
  const current = await wordsOf(tx, locked, templateOf(row, settings), asked.link)
  if (current.to !== words.to || current.subject !== words.subject || current.text !== words.text)
    throw new NotDue()
  await changeReminder(tx, row, {
    state: 'sent',
    reason: null,
    to_line: words.to,
    subject: words.subject,
    text: words.text,
    email_id: asked.emailId,
    settled_at: now,
  })
}

/** The link by which the customer looks at an invoice; null if it is off or nobody else could open it. */
export async function openLink(context: Context, userId: number, invoiceId: number): Promise<string | null> {
  const { reachable, url } = await linkOf(context, userId, invoiceId)
  return reachable ? url : null
}

async function stop(context: Context, row: ReminderRow, reason: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const current = await lockReminder(tx, row)
    if (current?.state !== 'upcoming') return
    await changeReminder(tx, row, { state: 'stopped', reason })
    await context.live.publish(tx, row.user_id, { topic: 'invoices' })
  })
}

async function putOff(context: Context, row: ReminderRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const current = await lockReminder(tx, row)
    if (current?.state !== 'upcoming') return
    const at = new Date(context.clock.now().getTime() + TRY_AGAIN_MS)
    if (current.due_at < at) await changeReminder(tx, row, { due_at: at })
  })
}

/** Clears away the mails of reminders that were taken back while they waited: nobody has to see what never left. */
export async function clearWithdrawn(context: Context): Promise<void> {
  for (const row of await withdrawnReminders(context.db, AT_ONCE)) {
    if (context.stopping.aborted) return
    try {
      if (row.email_id !== null) {
        await cancelEmail(context, row.user_id, row.email_id)
        await discardDraft(context, row.user_id, row.email_id)
      }
    } catch (error) {
      // It was deleted meanwhile, or sent by hand.
      if (!(error instanceof Refusal)) throw error
    }
    await changeReminder(context.db, row, { state: 'stopped' })
    await context.live.publish(context.db, row.user_id, { topic: 'invoices' })
  }
}
