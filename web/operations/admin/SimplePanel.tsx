import { Navigate } from 'react-router'
import { admin } from '#contract/operations/admin.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { type Column, Table } from '#web/platform/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { LogOutButton } from './LogOutButton.tsx'
import { ShareBars } from './ShareBars.tsx'
import { useAdminEndpoint } from './admin-calls.ts'
import { useAdminToken } from './admin-session.ts'
import { reasonName } from './reason-name.ts'

/** A plain panel of figures. Whoever has no token here goes to the log-in; the server refuses everybody else. */
export function SimplePanel() {
  // A 401 has removed the token by the time it is shown.
  const token = useAdminToken()
  if (token === null)
    return <Navigate to={paths.secureAdminLogin} replace state={{ from: paths.secureAdmin }} />
  return (
    <AdminFrame actions={<LogOutButton />}>
      <Panel />
    </AdminFrame>
  )
}

function Panel() {
  const { data, error, refetch, isFetching } = useAdminEndpoint(admin.stats)
  const from = data === undefined ? null : `${data.admin_user.full_name} · ${data.admin_user.email}`
  return (
    <>
      <PageHeader title="Secure Admin Dashboard" note={from} />
      {data !== undefined ? (
        <Shown stats={data} />
      ) : error === null ? (
        <div aria-busy="true" className="flex flex-col gap-3">
          <output className="sr-only">Loading admin data...</output>
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-60 w-full" />
        </div>
      ) : (
        <div role="alert" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
          <p>{sentenceOf(error, 'Failed to fetch admin data')}</p>
          <Button busy={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </>
  )
}

type Stats = ReplyOf<typeof admin.stats>

const COLUMNS: Record<string, Column<Stats['recent_users'][number]>> = {
  user: {
    title: 'User',
    cellClass: 'py-2',
    render: (user) => (
      <>
        <span className="block font-medium wrap-anywhere">{user.full_name}</span>
        <span className="block text-sm wrap-anywhere text-ink-2">{user.email}</span>
      </>
    ),
  },
  company: { title: 'Company', className: 'hidden md:table-cell', render: (user) => user.company_name },
  status: {
    title: 'Status',
    render: (user) => (user.is_active ? (user.is_admin ? 'Admin' : 'Active') : 'Inactive'),
  },
  created: {
    title: 'Created',
    className: 'hidden sm:table-cell',
    cellClass: 'whitespace-nowrap',
    render: (user) => dateAndTime(new Date(user.created_at), currentTimeZone()),
  },
}

function Shown({ stats }: { stats: Stats }) {
  const { user_stats: users, feedback_stats: feedback } = stats
  const figures = [
    ['Total Users', users.total_users],
    ['Active Users', users.active_users],
    ['Deleted Users', users.deleted_users],
    ['Admin Users', users.admin_users],
  ] as const
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {figures.map(([label, value]) => (
          <StatCard key={label} label={label} value={value.toLocaleString('en')} />
        ))}
      </div>
      <Card title="Recent users" flush>
        <Table
          label="Recent users"
          columns={COLUMNS}
          rows={stats.recent_users}
          keyOf={({ email }) => email}
        />
      </Card>
      <Card title="Feedback">
        {feedback.users_with_feedback === 0 ? (
          <p className="text-ink-2">Nobody has said why they left.</p>
        ) : (
          <div className="flex flex-col gap-4">
            <ShareBars
              label="Feedback categories"
              rows={feedback.categories.map(({ category, count }) => ({ name: reasonName(category), count }))}
            />
            <ul aria-label="Newest feedback" className="divide-y divide-line">
              {stats.feedback_details.map((each) => (
                <li key={each.id} className="py-2.5">
                  <p className="text-sm text-ink-2">
                    {each.email ?? 'Removed account'} · {each.custom_category || reasonName(each.category)} ·{' '}
                    {each.rating} of 5
                  </p>
                  <p className="break-words whitespace-pre-wrap">{each.details}</p>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </div>
  )
}
