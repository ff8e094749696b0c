import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { cancelEmail, deliveryOutcomes, discardDraft, senderFor } from '../../mail/emails/emails.ts'
import { conflict, invalidInput, Refusal } from '../../platform/errors.ts'
import { type InvoiceWords, linksOf, sendInvoice } from '../invoice-mail/invoice-mail.ts'
import { findInvoice, lockInvoice, type Reader, type StoredInvoice, todayOf } from '../invoices/invoices.ts'
import { dueAt, isTooLate, stopReason, TRY_AGAIN_MS } from './plan-reminders.ts'
import { recipientsOf, templateOf, wordsOf } from './reminder-words.ts'
import {
  changeReminder,
  dueReminders,
  findSettings,
  lockReminder,
  NO_MAIL,
  planOne,
  type ReminderRow,
  remindersOf,
  shareSettings,
  withdrawnReminders,
} from './store.ts'

const AT_ONCE = 100
const PRACTICE = 'The practice mailbox is in use. Reminders leave from an account of your own'
/** Given by the trigger on `invoices`. */
const AMOUNT_CHANGED = 'The amount has changed'

/** Nothing is sent: since the reminder was looked up, something has changed. */
export class NotDue extends Error {
  constructor() {
    super('this reminder is not due')
  }
}

/** Sends every reminder that is due. Of one invoice only the newest goes, however long the server was off. */
export async function sendDueReminders(context: Context): Promise<void> {
  const due = await dueReminders(context.db, context.clock.now(), AT_ONCE)
  const seen = new Set<number>()
  for (const row of due) {
    if (context.stopping.aborted) break
    try {
      await sendDue(context, row)
    } catch (error) {
      context.log.warn({ err: error, id: row.id }, 'a payment reminder could not be sent; it will be retried')
    }
    seen.add(row.user_id)
    // Whatever held it up: it is not the first again while others wait behind it.
    await putOff(context, row)
  }
  await publishAll(context, seen)
}

async function publishAll({ db, live }: Context, userIds: ReadonlySet<number>): Promise<void> {
  for (const userId of userIds) await live.publish(db, userId, { topic: 'invoices' })
}

async function sendDue(context: Context, row: ReminderRow): Promise<void> {
  const { user_id: userId } = row
  const settings = await findSettings(context.db, userId)
  const user = { id: userId, timeZone: settings?.time_zone ?? 'UTC' }
  if (await passOver(context, row)) return
  try {
    if ((await senderFor(context, userId, null)).mailbox.is_practice)
      return await stop(context, row, PRACTICE)
    await sendReminder(context, user, row, { byHand: false })
  } catch (error) {
    if (error instanceof NotDue) await planOne(context.db, userId, row.invoice_id)
    else if (error instanceof Refusal && error.status !== 429) await stop(context, row, error.message)
    else throw error
  }
}

/** Sees to a reminder that is not to be sent any more: it is paid, a newer one is due too, or its day has gone. */
async function passOver(context: Context, { user_id: userId, invoice_id: invoiceId, id }: ReminderRow) {
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const invoice = await lockInvoice(tx, userId, invoiceId)
    const settings = await findSettings(tx, userId)
    const row = await lockReminder(tx, { user_id: userId, id })
    if (row?.state !== 'upcoming' || row.due_at > now) return true
    if (invoice === undefined || settings === undefined) return false
    const why = await stopReason(tx, invoice, settings)
    if (why !== null) {
      await changeReminder(tx, row, { state: 'stopped', reason: why })
      return true
    }
    const newer = (await remindersOf(tx, userId, invoiceId)).some(
      (other) => other.state === 'upcoming' && other.due_at <= now && other.days > row.days,
    )
    const isLate = isTooLate(row, invoice, settings, now)
    if (!newer && !isLate) return false
    const reason = isLate ? 'Its day had passed' : 'A later reminder was due as well'
    await changeReminder(tx, row, { state: 'passed', reason })
    return true
  })
}

/**
 * Sends a reminder. The last word is spoken with the invoice locked, in the transaction that hands the mail to delivery: a
 * payment is either seen, or comes later and takes the mail back.
 *
 * @throws NotDue; Refusal as in Compose; 409 in practice
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
  // Practice would use up the reminder that the customer is to get.
  if ((await senderFor(context, userId, null)).mailbox.is_practice) throw conflict(`${PRACTICE}.`)
  const link = (await openLinks(context, userId, [invoiceId])).get(invoiceId) ?? null
  const recipients = await recipientsOf(db, userId, [invoice])
  const words = wordsOf(invoice, templateOf(row, settings), link, recipients.get(invoiceId))
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
    if (!isDue) throw new NotDue()
  }
  if (asked.isPractice) throw new NotDue()
  const recipients = (await recipientsOf(tx, locked.user_id, [locked])).get(locked.id)
  const current = wordsOf(locked, templateOf(row, settings), asked.link, recipients)
  if ((['to', 'cc', 'subject', 'text'] as const).some((part) => current[part] !== words[part]))
    throw new NotDue()
  await changeReminder(tx, row, {
    state: 'sent',
    reason: null,
    email_id: asked.emailId,
    to_line: words.to,
    cc_line: words.cc,
    sent_subject: words.subject,
    sent_text: words.text,
    sent_due: locked.due,
    settled_at: now,
  })
}

/** The links by which customers look at invoices, by id; null where it is off or nobody else could open it. */
export async function openLinks(
  context: Context,
  userId: number,
  invoiceIds: readonly number[],
): Promise<Map<number, string | null>> {
  const links = await linksOf(context, userId, invoiceIds)
  return new Map([...links].map(([id, { reachable, url }]) => [id, reachable ? url : null]))
}

async function stop(context: Context, row: ReminderRow, reason: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const current = await lockReminder(tx, row)
    if (current?.state === 'upcoming') await changeReminder(tx, row, { state: 'stopped', reason })
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
  const seen = new Set<number>()
  for (const row of await withdrawnReminders(context.db, AT_ONCE)) {
    if (context.stopping.aborted) break
    const hasLeft = row.email_id !== null && !(await discardMail(context, row.user_id, row.email_id))
    await settleWithdrawn(context, row, hasLeft)
    seen.add(row.user_id)
  }
  await publishAll(context, seen)
}

/** False if the mail has left after all: somebody has sent it by hand. */
async function discardMail(context: Context, userId: number, emailId: number): Promise<boolean> {
  try {
    await cancelEmail(context, userId, emailId)
    await discardDraft(context, userId, emailId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // It was deleted meanwhile, or sent by hand.
    return (await deliveryOutcomes(context.db, userId, [emailId])).get(emailId)?.state !== 'sent'
  }
  return true
}

/** Its mail is gone, and with it its words. One that asked for another amount is due again, with the amount of now. */
async function settleWithdrawn(context: Context, row: ReminderRow, hasLeft: boolean): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // While it was withdrawn, nothing was planned for it.
    await planOne(tx, row.user_id, row.invoice_id)
    const current = await lockReminder(tx, row)
    if (current?.state !== 'withdrawn') return
    if (hasLeft) await changeReminder(tx, row, { state: 'sent', reason: null })
    else if (current.reason === AMOUNT_CHANGED)
      await changeReminder(tx, row, { ...NO_MAIL, state: 'upcoming', reason: null })
    else await changeReminder(tx, row, { ...NO_MAIL, state: 'stopped' })
  })
}
