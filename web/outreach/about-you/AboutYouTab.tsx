import { briefs } from '#contract/outreach/briefs.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { AboutYouForm } from './AboutYouForm.tsx'

/** What first mails are about: said once, and used by every run. */
export function AboutYouTab() {
  const query = useEndpoint(briefs.versions)
  return (
    <Loaded query={query} failed="Failed to load “About you”" waiting={<Skeleton className="h-96" />}>
      {(versions) => <AboutYouForm versions={versions} />}
    </Loaded>
  )
}
