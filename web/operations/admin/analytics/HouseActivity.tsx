import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ANALYTICS_DAYS, adminAnalytics } from '#contract/operations/admin-analytics.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { fullDate } from '#web/platform/dates/mail-age.ts'
import { BandChart } from '#web/platform/ui/BandChart.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { bandOf, firstDay, periodName, SERIES, spokenPeriod, valueText } from './analytics-text.ts'

const FAILED = 'Failed to load analytics'

type Days = '30' | '90' | '365'
type Analytics = ReplyOf<typeof adminAnalytics.read>
const CHOICES = ANALYTICS_DAYS.map((days) => ({ value: `${days}` as Days, label: `${days} days` }))

/** Sign-ups, deletions, active users and emails of the whole Howl, by the day or the week. */
export function HouseActivity() {
  const [days, setDays] = useState<Days>('30')
  const [asTable, setAsTable] = useState(false)
  const query = useAdminEndpoint(adminAnalytics.read, { query: { days } })
  const { data, error } = query
  useEffect(() => {
    if (error !== null) toast.error(FAILED)
  }, [error])
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
      <Loaded query={query} failed={FAILED} waiting={<Skeleton className="h-64" />}>
        {(analytics) => (asTable ? <PeriodTable analytics={analytics} /> : <Chart analytics={analytics} />)}
      </Loaded>
      {data === undefined ? null : <Notes analytics={data} />}
    </Card>
  )
}

function Chart({ analytics: { by, periods } }: { analytics: Analytics }) {
  return (
    <BandChart
      period={by === 'day' ? 'Day' : 'Week'}
      bands={SERIES.map((series) => bandOf(series, by, periods))}
      spoken={(at) => spokenPeriod(by, periods[at])}
      ends={[periodName(by, periods[0]?.from ?? ''), by === 'day' ? 'Today' : 'This week']}
    />
  )
}

function PeriodTable({ analytics: { by, periods } }: { analytics: Analytics }) {
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
      tabIndex={0}
      aria-label={by === 'day' ? 'Activity by day' : 'Activity by week'}
      className="relative h-64 overflow-auto"
    >
      <table className="w-full tabular-nums">
        <thead className="sticky top-0 bg-surface text-left text-sm text-ink-2">
          <tr>
            <th scope="col" className="py-1.5 font-medium">
              {by === 'day' ? 'Day' : 'Week of'}
            </th>
            {SERIES.map(({ key, label }) => (
              <th key={key} scope="col" className="py-1.5 pl-3 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {periods.toReversed().map((period) => (
            <tr key={period.from}>
              <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                {firstDay(by, period.from)}
              </th>
              {SERIES.map(({ key }) => (
                <td key={key} className={period[key] ? CELL : `${CELL} text-ink-2`}>
                  {valueText(period[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const CELL = 'py-1.5 pl-3 text-right'

/** What the figures mean: in which zone their days begin, and what is not known. */
function Notes({ analytics }: { analytics: Analytics }) {
  const { by, periods, active_users_since: since, removed_users: removed } = analytics
  const isPartlyKnown = since !== null && periods.some((period) => period.active_users === null)
  return (
    <p className="pt-3 text-sm text-ink-2">
      {by === 'week' ? 'Weeks begin on Monday; active users are those of a day on average. ' : null}
      {isPartlyKnown ? `Active users are counted since ${fullDate(new Date(since), 'UTC')}. ` : null}
      {removed === 0
        ? null
        : `${removed.toLocaleString('en')} ${removed === 1 ? 'account was' : 'accounts were'} removed for good since the start. `}
      Time zone: UTC.
    </p>
  )
}
