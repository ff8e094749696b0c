import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { useState } from 'react'
import { ACTIVITY_DAYS, type ActivityDay, dashboard } from '#contract/overview/dashboard.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { dayText, SERIES, shortDay, totalOf } from './activity-text.ts'
import { BandChart } from '#web/platform/ui/BandChart.tsx'

type Days = '7' | '30' | '90'
const CHOICES = ACTIVITY_DAYS.map((days) => ({ value: `${days}` as Days, label: `${days} days` }))

/** Mails sent, replies and meetings, day by day. */
export function Activity() {
  const [days, setDays] = useState<Days>('30')
  const [asTable, setAsTable] = useState(false)
  const time_zone = useTimeZone()
  const query = useEndpoint(dashboard.activity, { query: { days, time_zone } })
  return (
    <Card
      title="Activity"
      actions={
        <>
          <Segmented label="Days shown" value={days} onChange={setDays} options={CHOICES} />
          <IconButton
            size="s"
            label={asTable ? 'Show as chart' : 'Show as table'}
            icon={asTable ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
            onClick={() => setAsTable(!asTable)}
            className="-mr-1.5"
          />
        </>
      }
    >
      <Loaded query={query} failed="Failed to load activity." waiting={<Skeleton className="h-48" />}>
        {(data) =>
          SERIES.every(({ key }) => totalOf(data, key) === 0) ? (
            <EmptyState title={`Nothing in the last ${days} days`} className="py-6">
              Emails you send, replies to them and your meetings will show up here, day by day.
            </EmptyState>
          ) : asTable ? (
            <ActivityTable days={data} />
          ) : (
            <ActivityChart days={data} />
          )
        }
      </Loaded>
    </Card>
  )
}

/** Days from left to right, with one band for each count. */
function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
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
