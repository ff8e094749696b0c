import { briefs } from '#contract/outreach/briefs.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { AboutYouForm } from './AboutYouForm.tsx'

/** What first mails are about: said once, and used by every run. */
export function AboutYouTab() {
  const { data, error, refetch, isFetching } = useEndpoint(briefs.versions)
  if (data !== undefined) return <AboutYouForm versions={data} />
  if (error !== null)
    return (
      <ErrorState message="Failed to load “About you”" onRetry={() => void refetch()} busy={isFetching} />
    )
  return <Skeleton className="h-96" />
}
