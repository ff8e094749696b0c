import type { ActivityDay } from '#contract/overview/dashboard.ts'

/** The bands of the chart, from top to bottom. */
export const SERIES = [
  { key: 'sent', label: 'Emails sent', noun: ['sent', 'sent'], bar: 'fill-control' },
  { key: 'replies', label: 'Replies', noun: ['reply', 'replies'], bar: 'fill-blue' },
  { key: 'meetings', label: 'Meetings', noun: ['meeting', 'meetings'], bar: 'fill-green' },
] as const
export type Series = (typeof SERIES)[number]

/** "Mon, Mar 9"; a calendar day has no zone. */
export function shortDay(day: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** "Mon, Mar 9: 12 sent, 1 reply, 0 meetings". */
export function dayText(day: ActivityDay): string {
  const counts = SERIES.map(
    ({ key, noun }) => `${day[key].toLocaleString('en')} ${noun[day[key] === 1 ? 0 : 1]}`,
  )
  return `${shortDay(day.day)}: ${counts.join(', ')}`
}

export function totalOf(days: readonly ActivityDay[], key: Series['key']): number {
  return days.reduce((sum, day) => sum + day[key], 0)
}
