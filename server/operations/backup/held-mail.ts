import { HELD_MAX } from '#contract/mail/held-mail.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { heldMails, leaveOutHeld } from '../../mail/emails/emails.ts'
import { countRecurringDueBy, passOverRecurring } from '../../invoicing/invoices/invoices.ts'
import { resumeMail, type ResumeContext } from '../leaving/leaving.ts'
import { overdueReminders, passOverReminders } from '../../invoicing/payment-reminders/payment-reminders.ts'
import { findHold, type Hold } from './restores-store.ts'

const LEFT_OUT = 'It may have left before Howl was restored from a backup'

export type Held = Hold & {
  total: number
  mayHaveLeft: number
  /** Schedules of invoices that were due before the restore. */
  recurring: number
  mails: {
    kind: 'email' | 'payment_reminder'
    subject: string
    to: string
    dueAt: Date
    mayHaveLeft: boolean
  }[]
}

/** What of the user's is sent once they say so; null where nothing is held. */
export async function heldOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: number,
): Promise<Held | null> {
  const hold = await findHold(db, userId)
  if (hold === undefined) return null
  const now = clock.now()
  const { mails, total, mayHaveLeft } = await heldMails(db, userId, now, HELD_MAX)
  const reminders = (await overdueReminders(db, userId, now, HELD_MAX)).map((reminder) => ({
    kind: 'payment_reminder' as const,
    subject: reminder.number,
    to: reminder.customer,
    dueAt: reminder.dueAt,
    mayHaveLeft: reminder.dueAt <= hold.restoredAt,
  }))
  const all = [...mails.map((mail) => ({ kind: 'email' as const, ...mail })), ...reminders]
  const recurring = await countRecurringDueBy(db, userId, hold.restoredAt)
  return {
    ...hold,
    recurring,
    total: total + reminders.length,
    mayHaveLeft: mayHaveLeft + reminders.filter((reminder) => reminder.mayHaveLeft).length,
    mails: all
      .toSorted(
        (one, other) => Number(other.mayHaveLeft) - Number(one.mayHaveLeft) || +one.dueAt - +other.dueAt,
      )
      .slice(0, HELD_MAX),
  }
}

/**
 * Sends and reads the user's mail again. With `leaveOut` emails that may have left become failed, and reminders and invoices that repeat pass over;
 * without it each of these emails is looked up in Sent and goes if it is not there. Without a hold it only resumes.
 */
export async function sendHeld(context: ResumeContext, userId: number, { leaveOut }: { leaveOut: boolean }) {
  await inTransaction(context.db, async (tx) => {
    const hold = await findHold(tx, userId)
    if (hold !== undefined && leaveOut) {
      await leaveOutHeld(tx, userId, context.clock.now())
      await passOverReminders(tx, userId, hold.restoredAt, LEFT_OUT)
      await passOverRecurring(tx, userId, hold.restoredAt, context.clock.now())
    }
    await resumeMail({ ...context, db: tx }, userId)
  })
}
