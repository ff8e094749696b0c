import type { ActivityDay } from '#contract/overview/dashboard.ts'
import { BandChart } from '#web/platform/ui/BandChart.tsx'
import { dayText, SERIES, shortDay, totalOf } from './activity-text.ts'

/** Days from left to right, with one band for each count. */
export function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
  return (
    <BandChart
      period="Day"
      spoken={(at) => dayText(days[at] ?? NO_DAY)}
      ends={[shortDay(days[0]?.day ?? ''), 'Today']}
      bands={SERIES.map(({ key, label, bar }) => {
        const values = days.map((day) => day[key])
        const total = totalOf(days, key).toLocaleString('en')
        const most = Math.max(...values).toLocaleString('en')
        return {
          key,
          label,
          bar,
          values,
          figure: total,
          described: `${label}: ${total} in ${days.length} days, at most ${most} in one day`,
        }
      })}
    />
  )
}

const NO_DAY: ActivityDay = { day: '1970-01-01', sent: 0, replies: 0, meetings: 0 }
