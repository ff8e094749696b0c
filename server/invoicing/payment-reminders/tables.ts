import type { Generated } from 'kysely'
import type { ReminderState } from '#contract/invoicing/payment-reminders.ts'

export type PaymentReminderSettingsTable = {
  user_id: number
  is_on: boolean
  days_before: number[]
  days_after: number[]
  hour: number
  time_zone: string
  subject: string
  text_before: string
  text_after: string
  words_changed_at: Date
}

/** Invoices whose reminders are switched off. */
type PaymentReminderSwitchesTable = { user_id: number; invoice_id: number }

export type PaymentRemindersTable = {
  user_id: number
  id: Generated<number>
  invoice_id: number
  /** From the due date on; below 0 before it. */
  days: number
  /** Since when its words are to be seen. */
  shown_at: Date
  due_at: Date
  /** `withdrawn`: taken back while its mail waited; the mail is still to be cleared away. */
  state: Exclude<ReminderState, 'waiting'> | 'withdrawn'
  reason: string | null
  /** Words of its own, before their names are filled. */
  subject: string | null
  text: string | null
  /** Its mail, as it left. */
  email_id: number | null
  to_line: string | null
  cc_line: string | null
  sent_subject: string | null
  sent_text: string | null
  /** What was left to pay then. */
  sent_due: number | null
  settled_at: Date | null
}

/** Invoices whose reminders are to be planned anew. */
type PaymentReminderWorkTable = { user_id: number; invoice_id: number }

/** A view: mails that must not leave any more. */
type MailsTakenBackView = { user_id: number; email_id: number }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    payment_reminder_settings: PaymentReminderSettingsTable
    payment_reminder_switches: PaymentReminderSwitchesTable
    payment_reminders: PaymentRemindersTable
    payment_reminder_work: PaymentReminderWorkTable
    mails_taken_back: MailsTakenBackView
  }
}
