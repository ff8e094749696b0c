import type { ActivityDay } from '#contract/overview/dashboard.ts'
import { SERIES, shortDay } from './activity-text.ts'

/** The counts of the chart as a table, newest day first. */
export function ActivityTable({ days }: { days: readonly ActivityDay[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <section tabIndex={0} aria-label="Activity by day" className="relative h-48 overflow-y-auto">
      <table className="w-full tabular-nums">
        <thead className="sticky top-0 bg-surface text-left text-sm text-ink-2">
          <tr>
            <th scope="col" className="py-1.5 font-medium">
              Day
            </th>
            {SERIES.map(({ key, label }) => (
              <th key={key} scope="col" className="py-1.5 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {shortDay(day.day)}
              </th>
              {SERIES.map(({ key }) => (
                <td
                  key={key}
                  className={day[key] === 0 ? 'py-1.5 text-right text-ink-2' : 'py-1.5 text-right'}
                >
                  {day[key].toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
