import type { ReactNode } from 'react'
import type { admin } from '#contract/operations/admin.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { Lines } from './Lines.tsx'
import { ShareBars } from './ShareBars.tsx'
import { reasonName } from './reason-name.ts'
import { tierName } from './tier-name.ts'
import { STATS_FAILED, useStats } from './use-stats.ts'

type Stats = ReplyOf<typeof admin.stats>

/** Who came and who left. */
export function OverviewTab() {
  const query = useStats()
  const { data, error } = query
  if (data === undefined && error !== null) return <LoadFailed query={query} message={STATS_FAILED} />
  return (
    <div className="flex flex-col gap-4">
      <Figures stats={data?.user_stats} />
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Card title="Tier distribution">
          {data === undefined ? (
            <Lines />
          ) : data.tier_distribution.length === 0 ? (
            <p className="text-ink-2">No accounts yet.</p>
          ) : (
            <ShareBars
              label="Tier distribution"
              rows={data.tier_distribution.map(({ tier, count }) => ({ name: tierName(tier), count }))}
            />
          )}
        </Card>
        <Card title="Recent signups">
          {data === undefined ? <Lines /> : <Signups users={data.recent_users} />}
        </Card>
        <Card title="Recent deletions">
          {data === undefined ? <Lines /> : <Deletions users={data.recent_deletions} />}
        </Card>
      </div>
    </div>
  )
}

function Figures({ stats }: { stats: Stats['user_stats'] | undefined }) {
  const figure = (of: keyof Stats['user_stats']) => (stats?.[of] ?? 0).toLocaleString('en')
  const loading = stats === undefined
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Total Users" value={figure('total_users')} loading={loading} />
      <StatCard label="Active Users" value={figure('active_users')} loading={loading} />
      <StatCard
        label="New Signups Today"
        value={figure('new_signups_today')}
        loading={loading}
        note={
          loading ? null : `${figure('new_signups_week')} in 7 days, ${figure('new_signups_month')} in 30`
        }
      />
      <StatCard label="Deleted Users" value={figure('deleted_users')} loading={loading} />
    </div>
  )
}

function Signups({ users }: { users: Stats['recent_users'] }) {
  if (users.length === 0) return <p className="text-ink-2">Nobody has signed up yet.</p>
  return (
    <ul className="-my-2 divide-y divide-line">
      {users.map((user) => (
        <Person key={user.email} {...user} at={user.created_at}>
          {user.is_admin ? <Badge tone="moon">Admin</Badge> : null}
          {user.is_active ? null : <Badge tone="amber">Inactive</Badge>}
        </Person>
      ))}
    </ul>
  )
}

function Deletions({ users }: { users: Stats['recent_deletions'] }) {
  if (users.length === 0) return <p className="text-ink-2">Nobody has left.</p>
  return (
    <ul className="-my-2 divide-y divide-line">
      {users.map((user) => (
        <Person
          key={user.email}
          {...user}
          at={user.deleted_at}
          note={
            user.reason === null
              ? `Left by themselves${user.category === null ? '' : `: ${reasonName(user.category)}`}`
              : `By an administrator${user.reason === '' ? '' : `: ${user.reason}`}`
          }
        />
      ))}
    </ul>
  )
}

function Person(props: {
  email: string
  full_name: string
  company_name: string
  at: string
  note?: string
  children?: ReactNode
}) {
  const { email, full_name: name, company_name: company, at, note, children } = props
  return (
    <li className="flex flex-col gap-0.5 py-2.5">
      <span className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="flex shrink-0 gap-1">{children}</span>
      </span>
      <span className="truncate text-sm text-ink-2">{company === '' ? email : `${email} · ${company}`}</span>
      <span className="text-sm break-words text-ink-2">
        <time dateTime={at}>{dateAndTime(new Date(at), currentTimeZone())}</time>
        {note === undefined ? null : ` · ${note}`}
      </span>
    </li>
  )
}
