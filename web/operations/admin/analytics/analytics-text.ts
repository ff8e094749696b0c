import type { AnalyticsPeriod } from '#contract/operations/admin-analytics.ts'
import type { Band } from '#web/platform/ui/BandChart.tsx'

/** The bands of the chart, from top to bottom. */
export const SERIES = [
  { key: 'signups', label: 'Signups', noun: ['signup', 'signups'], bar: 'fill-accent' },
  { key: 'deletions', label: 'Deletions', noun: ['deletion', 'deletions'], bar: 'fill-danger' },
  { key: 'active_users', label: 'Active users', noun: ['active user', 'active users'], bar: 'fill-green' },
  { key: 'emails_sent', label: 'Emails sent', noun: ['email sent', 'emails sent'], bar: 'fill-control' },
] as const
type Series = (typeof SERIES)[number]
type By = 'day' | 'week'

/** "Mon, Mar 9", or of a week "Mar 9, 2026"; a calendar day has no zone. */
export function firstDay(by: By, from: string): string {
  if (from === '') return ''
  const shown = by === 'day' ? DAY : WEEK
  return new Intl.DateTimeFormat('en-US', { ...shown, timeZone: 'UTC' }).format(new Date(`${from}T00:00:00Z`))
}

/** "Mon, Mar 9", or "Week of Mar 9, 2026". */
export function periodName(by: By, from: string): string {
  return by === 'day' ? firstDay(by, from) : `Week of ${firstDay(by, from)}`
}

const DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const
const WEEK = { month: 'short', day: 'numeric', year: 'numeric' } as const

/** "1,200", or a dash for what is not known. */
export function valueText(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en')
}

/** "Mon, Mar 9: 3 signups, 0 deletions, 12 active users, 1 email sent". */
export function spokenPeriod(by: By, period: AnalyticsPeriod | undefined): string {
  if (period === undefined) return ''
  const counts = SERIES.flatMap(({ key, noun }) => {
    const value = period[key]
    return value === null ? [] : [`${valueText(value)} ${noun[value === 1 ? 0 : 1]}`]
  })
  return `${periodName(by, period.from)}: ${counts.join(', ')}`
}

/** A band with what stands beside it: the sum, for active users how many a day on average. */
export function bandOf(series: Series, by: By, periods: readonly AnalyticsPeriod[]): Band {
  const { key, label, bar } = series
  const values = periods.map((period) => period[key])
  const known = values.filter((value) => value !== null)
  const sum = known.reduce((total, value) => total + value, 0)
  const most = valueText(Math.max(0, ...known))
  if (key !== 'active_users')
    return {
      key,
      label,
      bar,
      values,
      figure: valueText(sum),
      described: `${label}: ${valueText(sum)} in ${values.length} ${by}s, at most ${most} in one ${by}`,
    }
  const mean = known.length === 0 ? null : Math.round((sum / known.length) * 10) / 10
  return {
    key,
    bar,
    values,
    label: 'Active users a day',
    figure: valueText(mean),
    described: `Active users: ${valueText(mean)} a day on average, at most ${most}`,
  }
}
