import { useAddressQuery } from '#web/platform/address.ts'
import { Activity } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { AnalyticsTab } from './analytics/AnalyticsTab.tsx'
import { FeedbackTab } from './feedback/FeedbackTab.tsx'
import { ManagementTab } from './ManagementTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { UsersTab } from './users/UsersTab.tsx'
import { readAdminUser } from './admin-session.ts'

const TABS = [
  { value: 'overview', label: 'Overview', Panel: OverviewTab },
  { value: 'users', label: 'Users', Panel: UsersTab },
  { value: 'analytics', label: 'Analytics', Panel: AnalyticsTab },
  { value: 'feedback', label: 'Feedback', Panel: FeedbackTab },
  { value: 'management', label: 'User Management', Panel: ManagementTab },
] as const
type TabName = (typeof TABS)[number]['value']

/** The dashboard for administrators; the address says which tab is open. */
export function AdminDashboard() {
  const [query, change] = useAddressQuery()
  const open = TABS.find(({ value }) => value === query.get('tab')) ?? TABS[0]
  const user = readAdminUser()
  const choose = (value: TabName) =>
    // Page and filters of a tab do not come along.
    change(() => new URLSearchParams(value === 'overview' ? {} : { tab: value }))
  return (
    <>
      <PageHeader
        title="Admin Dashboard"
        note={user === null ? null : `Signed in as ${user.name}.`}
        actions={
          <Link to={paths.adminSystem} className={buttonClass()}>
            <Activity aria-hidden className="size-4" />
            System
          </Link>
        }
      />
      <Tabs label="Administration" tabs={TABS} value={open.value} onChange={choose}>
        <open.Panel />
      </Tabs>
    </>
  )
}
