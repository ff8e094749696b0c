import { useAddressQuery } from '#web/platform/address.ts'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { AbuseOverview } from './abuse/AbuseOverview.tsx'
import { AbusePatterns } from './abuse/AbusePatterns.tsx'
import { Notifications } from './abuse/Notifications.tsx'
import { useAdminLive } from './abuse/use-admin-live.ts'
import { UserActivities } from './activities/UserActivities.tsx'
import { UserActions } from './bans/UserActions.tsx'
import { UserBans } from './bans/UserBans.tsx'

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
