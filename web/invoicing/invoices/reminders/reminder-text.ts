import {
  paymentReminders,
  REMINDER_DAYS_MAX,
  REMINDERS_MAX,
  type Reminder,
} from '#contract/invoicing/payment-reminders.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'

/** The answers that a change of reminders makes stale. */
export const REMINDERS = [
  paymentReminders.list,
  paymentReminders.ofInvoice,
  paymentReminders.settings,
] as const

/** "3 days before the due date". */
export function daysText(days: number): string {
  const count = Math.abs(days)
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'} the due date`
}

/** "Tue, Feb 17, 2026, 09:00" in a time zone. */
export function whenText(instant: string, timeZone: string): string {
  const format = dateFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  return format.format(new Date(instant))
}

export const STATE_WORDS: Record<Reminder['state'], string> = {
  upcoming: 'Upcoming',
  waiting: 'On its way',
  sent: 'Sent',
  skipped: 'Skipped',
  passed: 'Not sent',
  stopped: 'Not sent',
}

/** Days as they are typed: "3, 7, 14". Null if that cannot be read. */
export function readDays(typed: string): number[] | null {
  const words = typed.split(/[\s,;]+/).filter(Boolean)
  const days = words.map(Number)
  const isGood = words.every((word) => /^\d{1,2}$/.test(word)) && days.every((each) => each >= 1)
  return isGood && days.every((each) => each <= REMINDER_DAYS_MAX) && days.length <= REMINDERS_MAX
    ? days
    : null
}

export const DAYS_FAULT = `Please enter up to ${REMINDERS_MAX} numbers from 1 to ${REMINDER_DAYS_MAX}, with commas between them`
