import { dateFormat } from './date-formats.ts'
import { dayBefore, zonedDay } from './zoned-day.ts'

export type DayGroup<Row> = { label: string; rows: Row[] }

/**
 * Groups rows under "Today", "Yesterday" or their month ("November 2026") by the days of the zone, in the given order.
 */
export function groupByDay<Row extends { timestamp: string; schedule_at?: string | null; status?: string }>(
  rows: readonly Row[],
  now: Date,
  timeZone: string,
): DayGroup<Row>[] {
  const today = zonedDay(now, timeZone)
  const yesterday = dayBefore(today)
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const then = new Date(row.status === 'scheduled' ? (row.schedule_at ?? row.timestamp) : row.timestamp)
    const day = zonedDay(then, timeZone)
    const label = day === today ? 'Today' : day === yesterday ? 'Yesterday' : monthOf(then, timeZone)
    const group = groups.get(label)
    if (group === undefined) groups.set(label, [row])
    else group.push(row)
  }
  return [...groups].map(([label, grouped]) => ({ label, rows: grouped }))
}

function monthOf(then: Date, timeZone: string): string {
  return dateFormat('en', { month: 'long', year: 'numeric', timeZone }).format(then)
}
