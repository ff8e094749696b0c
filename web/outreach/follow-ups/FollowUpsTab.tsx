import { Link } from 'react-router'
import { type FollowUpOverview, followUps } from '#contract/outreach/follow-ups.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { contactsText } from './follow-up-text.ts'
import { History } from './History.tsx'
import { LeftOut } from './LeftOut.tsx'
import { Upcoming } from './Upcoming.tsx'

/** Replies and mails that leave change who is next. */
const RENEWED_EVERY_MS = 15_000

/** Who gets an automatic follow-up and when, why others do not, and what has left so far. */
export function FollowUpsTab() {
  const query = useEndpoint(followUps.get, { refetchInterval: RENEWED_EVERY_MS })
  const counts = useEndpoint(followUps.counts, { refetchInterval: RENEWED_EVERY_MS })
  return (
    <Loaded query={query} failed="Failed to load the follow-ups" waiting={<Skeleton className="h-64" />}>
      {(overview) => (
        <div className="flex flex-col gap-4">
          <State overview={overview} upcoming={counts.data?.upcoming} />
          {overview.enabled ? <Upcoming timeZone={overview.time_zone} /> : null}
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <LeftOut counts={counts} timeZone={overview.time_zone} />
            <History />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function State({ overview, upcoming = 0 }: { overview: FollowUpOverview; upcoming: number | undefined }) {
  const { enabled, next_run_at: next, stopped, time_zone: zone } = overview
  return (
    <Card
      title="Automatic follow-ups"
      actions={<Badge tone={enabled ? 'green' : 'gray'}>{enabled ? 'On' : 'Off'}</Badge>}
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {enabled && next !== null ? (
            <p className="text-lg">
              Next on <strong className="font-semibold">{comingTime(next, zone)}</strong>
            </p>
          ) : (
            <p className="text-lg">
              {upcoming === 0
                ? 'Nobody is written to.'
                : `Nobody is written to. ${contactsText(upcoming)} would be.`}
            </p>
          )}
          <p className="max-w-prose text-ink-2">{rulesText(overview)}</p>
          {stopped === null ? null : <p className="mt-2 font-medium text-danger">{stopped}</p>}
        </div>
        <Link to={paths.profile} className={buttonClass(enabled ? 'quiet' : 'primary')}>
          {enabled ? 'Change in your profile' : 'Switch on in your profile'}
        </Link>
      </div>
    </Card>
  )
}

function rulesText({ daily_hour: hour, max_days: days, time_zone: zone }: FollowUpOverview): string {
  const time = `${String(hour).padStart(2, '0')}:00`
  return `Every day at ${time} (${zone}), to contacts who have been silent for 3 days. At most 3 each, up to ${days} days after your first email.`
}
