import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { useState } from 'react'
import { ACTIVITY_DAYS, dashboard } from '#contract/overview/dashboard.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { ActivityChart } from './ActivityChart.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { SERIES, totalOf } from './activity-text.ts'

type Days = '7' | '30' | '90'
const CHOICES = ACTIVITY_DAYS.map((days) => ({ value: `${days}` as Days, label: `${days} days` }))

/** Mails sent, replies and meetings, day by day. */
export function Activity() {
  const [days, setDays] = useState<Days>('30')
  const [asTable, setAsTable] = useState(false)
  const time_zone = useTimeZone()
  const { data, error, isFetching, refetch } = useEndpoint(dashboard.activity, { query: { days, time_zone } })
  const isEmpty = data !== undefined && SERIES.every(({ key }) => totalOf(data, key) === 0)
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
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-48" />
        ) : (
          <ErrorState message="Failed to load activity." busy={isFetching} onRetry={() => void refetch()} />
        )
      ) : isEmpty ? (
        <EmptyState title={`Nothing in the last ${days} days`} className="py-6">
          Emails you send, replies to them and your meetings will show up here, day by day.
        </EmptyState>
      ) : asTable ? (
        <ActivityTable days={data} />
      ) : (
        <ActivityChart days={data} />
      )}
    </Card>
  )
}
