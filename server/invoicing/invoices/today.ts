import { Temporal } from 'temporal-polyfill'
import { DUE_AFTER_DAYS } from '#contract/invoicing/invoices.ts'
import type { Clock } from '../../platform/clock.ts'

/** Who asks, and in which zone their days begin. */
export type Reader = { id: number; timeZone: string }

/** The calendar day on which the user is now. */
export function todayOf(clock: Clock, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}

/** The due date of an invoice issued on a day. With the dates of another invoice, it has the same time to pay. */
export function dueAfter(
  issueDate: string,
  like: { issue_date: string; due_date: string } | null = null,
): string {
  const issued = Temporal.PlainDate.from(issueDate)
  if (like === null || like.issue_date === '' || like.due_date < like.issue_date)
    return issued.add({ days: DUE_AFTER_DAYS }).toString()
  const days = Temporal.PlainDate.from(like.issue_date).until(Temporal.PlainDate.from(like.due_date)).days
  return issued.add({ days }).toString()
}
