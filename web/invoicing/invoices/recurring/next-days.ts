import type { Every } from '#contract/invoicing/recurring-invoices.ts'

/** The day some months or years after a day; the last of the month where it is shorter. */
export function dayAfter(day: string, every: Every, periods: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const months = every === 'month' ? periods : periods * 12
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastOfMonth))).toISOString().slice(0, 10)
}

/** The days of the next invoices, as far as there are any: up to a last day, or `left` of them. */
export function nextDays(
  { first, every, endsOn, left }: { first: string; every: Every; endsOn: string | null; left: number | null },
  count: number,
): string[] {
  return Array.from({ length: Math.min(count, left ?? count) }, (_, at) => dayAfter(first, every, at)).filter(
    (day) => endsOn === null || day <= endsOn,
  )
}

/** The first day of this series that is after the issue of an invoice and not before today. */
export function proposedDay(issueDate: string, every: Every, today: string): string {
  if (issueDate === '') return today
  let periods = 1
  while (dayAfter(issueDate, every, periods) < today) periods += 1
  return dayAfter(issueDate, every, periods)
}
