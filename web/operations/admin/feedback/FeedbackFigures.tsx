import { useEffect } from 'react'
import { adminFeedback } from '#contract/operations/admin-feedback.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminEndpoint } from '../admin-calls.ts'

const FAILED = 'Failed to load analytics'

/** All feedback in four figures, whatever the filters say. */
export function FeedbackFigures() {
  const query = useAdminEndpoint(adminFeedback.analytics, { staleTime: 0 })
  const { data, error } = query
  useEffect(() => {
    if (error !== null) toast.error(FAILED)
  }, [error])
  if (data === undefined && error !== null)
    return (
      <Card>
        <LoadFailed query={query} message={FAILED} />
      </Card>
    )
  const loading = data === undefined
  const ratings = data?.rating_distribution ?? []
  const total = ratings.reduce((sum, { count }) => sum + count, 0)
  const stars = ratings.reduce((sum, { rating, count }) => sum + rating * count, 0)
  const agreed = data?.contact_consent_analysis.find(({ consent }) => consent)?.count ?? 0
  const shown = (count: number) => count.toLocaleString('en')
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Total Feedback" value={shown(total)} loading={loading} />
      <StatCard
        label="Average Rating"
        value={total === 0 ? '–' : (stars / total).toFixed(1)}
        note={loading ? null : 'of 5'}
        loading={loading}
      />
      <StatCard
        label="Contact Consent"
        value={shown(agreed)}
        note={loading || total === 0 ? null : `${Math.round((agreed / total) * 100)}% may be contacted`}
        loading={loading}
      />
      <StatCard label="Categories" value={shown(data?.category_analysis.length ?? 0)} loading={loading} />
    </div>
  )
}
