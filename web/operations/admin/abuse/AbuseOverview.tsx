import { Link } from 'react-router'
import { abuse, RISK_ACTS } from '#contract/operations/abuse.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { useAdminEndpoint } from '../admin-calls.ts'
import { ComingNotifications, NotificationList } from './NotificationList.tsx'
import { sectionLink } from './section-link.ts'

const NEWEST = 5

/** Abuse in figures, and what administrators were told last. */
export function AbuseOverview() {
  return (
    <div className="flex flex-col gap-4">
      <Figures />
      <Newest />
    </div>
  )
}

function Figures() {
  const query = useAdminEndpoint(abuse.statistics, { staleTime: 0 })
  const { data, isError } = query
  if (isError && data === undefined)
    return (
      <Card>
        <LoadFailed query={query} message="Failed to load the figures" />
      </Card>
    )
  const loading = data === undefined
  const written = (count: number | undefined) => (count ?? 0).toLocaleString('en')
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard
        label="Active Bans"
        value={written(data?.active_bans)}
        loading={loading}
        note={loading ? null : 'in force now'}
      />
      <StatCard
        label="Abuse Patterns"
        value={written(data?.total_abuse_patterns)}
        loading={loading}
        note={loading ? null : 'ever found'}
      />
      <StatCard
        label="High Risk Users"
        value={written(data?.high_risk_users)}
        loading={loading}
        note={loading ? null : `risk of ${RISK_ACTS.high} or more`}
      />
      <StatCard
        label="Notifications"
        value={written(data?.recent_notifications)}
        loading={loading}
        note={loading ? null : 'in 7 days'}
      />
    </div>
  )
}

function Newest() {
  const query = useAdminEndpoint(notifications.list, { query: { limit: NEWEST }, staleTime: 0 })
  const { data, isError } = query
  return (
    <Card
      flush
      title="Recent notifications"
      actions={
        <Link to={sectionLink('notifications')} className={buttonClass('quiet', 's')}>
          All notifications
        </Link>
      }
    >
      <div className="border-t border-line">
        {data !== undefined && data.notifications.length > 0 ? (
          <NotificationList brief rows={data.notifications} />
        ) : isError ? (
          <LoadFailed query={query} message="Failed to load notifications" />
        ) : data === undefined ? (
          <ComingNotifications count={3} />
        ) : (
          <EmptyState title="No notifications yet">
            Howl tells you here when a user is at high risk, is banned by the rules, or appeals.
          </EmptyState>
        )}
      </div>
    </Card>
  )
}
