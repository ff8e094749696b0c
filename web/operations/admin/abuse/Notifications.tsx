import { notifications } from '#contract/accounts/notifications.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand, useAdminEndpoint } from '../admin-calls.ts'
import { ComingNotifications, NotificationList } from './NotificationList.tsx'

const SHOWN = 20

/** What administrators are told: bans by the rules, users at high risk, appeals. New ones appear by themselves. */
export function Notifications() {
  const query = useAdminEndpoint(notifications.list, { query: { limit: SHOWN }, staleTime: 0 })
  const { data, isError } = query
  const readAll = useAdminCommand(notifications.markAllRead, {
    refreshes: [notifications.list],
    onError: () => toast.error('Failed to mark the notifications as read'),
  })
  if (isError && data === undefined)
    return (
      <Card>
        <LoadFailed query={query} message="Failed to load notifications" />
      </Card>
    )
  const rows = data?.notifications ?? []
  const [newest] = rows
  const unread = data?.unread ?? 0
  return (
    <Card
      flush
      title="Notifications"
      actions={
        unread === 0 || newest === undefined ? undefined : (
          <>
            <span className="text-sm text-ink-2 tabular-nums">{unread.toLocaleString('en')} new</span>
            <Button
              size="s"
              busy={readAll.isPending}
              onClick={() => readAll.mutate({ body: { until: newest.created_at } })}
            >
              Mark all as read
            </Button>
          </>
        )
      }
    >
      <div className="border-t border-line">
        {data === undefined ? (
          <ComingNotifications count={5} />
        ) : rows.length === 0 ? (
          <EmptyState title="No notifications yet">
            Howl tells you here when a user is at high risk, is banned by the rules, or appeals.
          </EmptyState>
        ) : (
          <NotificationList rows={rows} />
        )}
      </div>
      {rows.length < SHOWN ? null : (
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
          The {SHOWN} newest are shown. They are kept for 90 days.
        </p>
      )}
    </Card>
  )
}
