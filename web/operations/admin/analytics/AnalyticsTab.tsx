import type { admin } from '#contract/operations/admin.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { Lines } from '../Lines.tsx'
import { reasonName } from '../reason-name.ts'
import { ShareBars } from '../ShareBars.tsx'
import { tierName } from '../tier-name.ts'
import { STATS_FAILED, useStats } from '../use-stats.ts'
import { HouseActivity } from './HouseActivity.tsx'
import { SystemHealth } from './SystemHealth.tsx'

type Stats = ReplyOf<typeof admin.stats>

/** How this Howl does: who is there and who stays, what happened day by day, and whether it is well. */
export function AnalyticsTab() {
  const query = useStats()
  const { data, error } = query
  const failed = data === undefined && error !== null
  return (
    <div className="flex flex-col gap-4">
      {failed ? (
        <Card>
          <LoadFailed query={query} message={STATS_FAILED} />
        </Card>
      ) : (
        <Totals stats={data?.user_stats} />
      )}
      <HouseActivity />
      <div className="grid items-start gap-4 lg:grid-cols-3">
        {failed ? null : (
          <>
            <Card title="Tier distribution">
              <Shares
                label="Tier distribution"
                none="No accounts yet."
                rows={data?.tier_distribution.map(({ tier, count }) => ({ name: tierName(tier), count }))}
              />
            </Card>
            <Card title="Feedback categories">
              <Shares
                label="Feedback categories"
                none="Nobody has said why they left."
                rows={data?.feedback_stats.categories.map(({ category, count }) => ({
                  name: reasonName(category),
                  count,
                }))}
              />
            </Card>
          </>
        )}
        <SystemHealth
          feedback={data?.feedback_stats.users_with_feedback}
          administrators={data?.user_stats.admin_users}
        />
      </div>
    </div>
  )
}

function Totals({ stats }: { stats: Stats['user_stats'] | undefined }) {
  const loading = stats === undefined
  const { total_users: total, active_users: active, deleted_users: deleted } = stats ?? NOBODY
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Total Users" value={total.toLocaleString('en')} loading={loading} />
      <StatCard label="Active Users" value={active.toLocaleString('en')} loading={loading} />
      <StatCard label="Deleted Users" value={deleted.toLocaleString('en')} loading={loading} />
      <StatCard
        label="Retention Rate"
        value={total === 0 ? '–' : `${Math.round((active / total) * 100)}%`}
        loading={loading}
        note={
          loading ? null : `${active.toLocaleString('en')} of ${total.toLocaleString('en')} users are active`
        }
      />
    </div>
  )
}

const NOBODY = { total_users: 0, active_users: 0, deleted_users: 0 }

type Rows = readonly { name: string; count: number }[]

function Shares({ label, rows, none }: { label: string; rows: Rows | undefined; none: string }) {
  if (rows === undefined) return <Lines />
  return rows.length === 0 ? <p className="text-ink-2">{none}</p> : <ShareBars label={label} rows={rows} />
}
