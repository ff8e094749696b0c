import { useAddressQuery } from '#web/platform/address.ts'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { AbuseOverview } from './abuse/AbuseOverview.tsx'
import { AbusePatterns } from './abuse/AbusePatterns.tsx'
import { Notifications } from './abuse/Notifications.tsx'
import { UserActivities } from './activities/UserActivities.tsx'
import { UserActions } from './bans/UserActions.tsx'
import { UserBans } from './bans/UserBans.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { abuse } from '#contract/operations/abuse.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { keepStream } from '#web/platform/api/live-stream.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { clearAdminSession, readAdminToken } from './admin-session.ts'

const SECTIONS = [
  { value: 'summary', label: 'Overview', Panel: AbuseOverview },
  { value: 'activities', label: 'User Activities', Panel: UserActivities },
  { value: 'bans', label: 'User Bans', Panel: UserBans },
  { value: 'patterns', label: 'Abuse Patterns', Panel: AbusePatterns },
  { value: 'notifications', label: 'Notifications', Panel: Notifications },
  { value: 'actions', label: 'Actions', Panel: UserActions },
] as const
type SectionName = (typeof SECTIONS)[number]['value']

/** Who did what on this Howl, and what is done about it; the address says which part is open. */
export function ManagementTab() {
  const [query, change] = useAddressQuery()
  useAdminLive()
  const open = SECTIONS.find(({ value }) => value === query.get('section')) ?? SECTIONS[0]
  const choose = (value: SectionName) =>
    // Page and filters of a part do not come along.
    change(() => new URLSearchParams({ tab: 'management', section: value }))
  return (
    <Tabs label="User Management" tabs={SECTIONS} value={open.value} onChange={choose}>
      <open.Panel />
    </Tabs>
  )
}

const STALE = [notifications.list, abuse.statistics, abuse.patterns]

/** Keeps what is shown of notifications and abuse up to date while the page is open. */
function useAdminLive(): void {
  const client = useQueryClient()
  useEffect(() => {
    const reload = () => {
      for (const endpoint of STALE) void refresh(client, endpoint)
    }
    return keepStream(
      { onEvent: reload, onResume: reload, onState: () => {} },
      { path: pathOf(notifications.stream), token: readAdminToken, onRefused: clearAdminSession },
    )
  }, [client])
}
