import { ExternalLink } from 'lucide-react'
import type { admin } from '#contract/operations/admin.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { fullDate } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Lines } from '../Lines.tsx'
import { reasonName } from '../reason-name.ts'
import { ShareBars } from '../ShareBars.tsx'
import { STATS_FAILED, useStats } from '../use-stats.ts'
import { Rating } from './Rating.tsx'

type Stats = ReplyOf<typeof admin.stats>

/** Why people left, in short. */
export function FeedbackTab() {
  const query = useStats()
  const { data, error } = query
  if (data === undefined && error !== null)
    return (
      <Card>
        <LoadFailed query={query} message={STATS_FAILED} />
      </Card>
    )
  return (
    <div className="grid items-start gap-4 lg:grid-cols-3">
      <Card title="Feedback categories">
        {data === undefined ? (
          <Lines />
        ) : data.feedback_stats.categories.length === 0 ? (
          <p className="text-ink-2">Nobody has said why they left.</p>
        ) : (
          <ShareBars
            label="Feedback categories"
            rows={data.feedback_stats.categories.map(({ category, count }) => ({
              name: reasonName(category),
              count,
            }))}
          />
        )}
      </Card>
      <Card title="Recent feedback" className="lg:col-span-2" actions={<DetailedView />}>
        {data === undefined ? <Lines /> : <Recent feedback={data.feedback_details} />}
      </Card>
    </div>
  )
}

function DetailedView() {
  return (
    <Button
      icon={<ExternalLink aria-hidden className="size-4" />}
      onClick={() => window.open(paths.adminFeedback, '_blank', 'noopener')}
    >
      Detailed View
    </Button>
  )
}

function Recent({ feedback }: { feedback: Stats['feedback_details'] }) {
  if (feedback.length === 0)
    return (
      <EmptyState title="No feedback yet" className="py-6">
        Whoever deletes their account is asked why. Their answers appear here.
      </EmptyState>
    )
  return (
    <ul aria-label="Recent feedback" className="-my-2 divide-y divide-line">
      {feedback.map((each) => (
        <li key={each.id} className="flex flex-col gap-1 py-3">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium wrap-anywhere">{each.email ?? 'Removed account'}</span>
            <Rating rating={each.rating} />
          </span>
          <span className="text-sm wrap-anywhere text-ink-2">
            {each.custom_category || reasonName(each.category)} ·{' '}
            <time dateTime={each.given_at}>{fullDate(new Date(each.given_at), currentTimeZone())}</time>
          </span>
          <p className="line-clamp-4 max-w-prose wrap-anywhere whitespace-pre-line">{each.details}</p>
        </li>
      ))}
    </ul>
  )
}
