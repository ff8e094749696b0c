import { Temporal } from 'temporal-polyfill'
import type { Every } from '#contract/invoicing/recurring-invoices.ts'
import type { InvoiceContent } from '#contract/invoicing/saved-invoices.ts'
import { dueAfter } from '../today.ts'

/** The days of a schedule: one period with its date, and how far the others are from one another. */
export type Anchor = { every: Every; anchor_on: string; anchor_period: number }

/**
 * The date of a period. It is counted from the anchor, not from the period before: of a 31st, February has its last day
 * and March the 31st again.
 */
export function dateOfPeriod({ every, anchor_on, anchor_period }: Anchor, period: number): string {
  const passed = period - anchor_period
  return Temporal.PlainDate.from(anchor_on)
    .add(every === 'month' ? { months: passed } : { years: passed })
    .toString()
}

/** The first period from this one on whose date is not before a day. */
export function periodFrom(anchor: Anchor, period: number, day: string): number {
  let from = period
  while (dateOfPeriod(anchor, from) < day) from += 1
  return from
}

/** When a day begins in a zone. */
export function beginOf(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds)
}

/** The content dated another day: as many days to pay, and the days of the service as many months later. */
export function datedContent(content: InvoiceContent, day: string): InvoiceContent {
  const months = content.issue_date === '' ? 0 : monthsBetween(content.issue_date, day)
  return {
    ...content,
    issue_date: day,
    due_date: dueAfter(day, content),
    service_start: later(content.service_start, months),
    service_end: later(content.service_end, months),
    delivery_date: later(content.delivery_date, months),
  }
}

function monthsBetween(from: string, to: string): number {
  const one = Temporal.PlainDate.from(from)
  const other = Temporal.PlainDate.from(to)
  return (other.year - one.year) * 12 + other.month - one.month
}

/** A day some months later; the last of a month stays the last of a month. */
function later(day: string, months: number): string {
  if (day === '') return ''
  const date = Temporal.PlainDate.from(day)
  const moved = date.add({ months })
  return (date.day === date.daysInMonth ? moved.with({ day: moved.daysInMonth }) : moved).toString()
}
