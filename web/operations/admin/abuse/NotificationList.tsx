import { notifications, type Notification } from '#contract/accounts/notifications.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'
import { severityTone } from './severity-tone.ts'

/** Notifications, newest first; an unread one is marked, and can be marked as read. */
export function NotificationList({
  rows,
  brief = false,
}: {
  rows: readonly Notification[]
  brief?: boolean
}) {
  const read = useAdminCommand(notifications.markRead, {
    refreshes: [notifications.list],
    onError: () => toast.error('Failed to mark the notification as read'),
  })
  return (
    <ul aria-label="Notifications" className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.id} className={cx('flex flex-col gap-1 px-4 py-3', !row.is_read && 'bg-accent-soft/40')}>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={severityTone(row.priority)}>Priority {row.priority}</Badge>
            {row.is_read ? null : <Badge tone="moon">New</Badge>}
            <h3 className={cx('min-w-0 flex-1 break-words', row.is_read ? 'font-medium' : 'font-semibold')}>
              {row.title}
            </h3>
            {row.is_read || brief ? null : (
              <Button
                size="s"
                busy={read.isPending && read.variables.params?.id === row.id}
                onClick={() => read.mutate({ params: { id: row.id } })}
              >
                Mark as read
              </Button>
            )}
          </div>
          <p className={cx('max-w-3xl break-words', brief && 'line-clamp-2')}>{row.message}</p>
          <p className="text-sm break-words text-ink-2">
            <time dateTime={row.created_at}>{dateAndTime(new Date(row.created_at), currentTimeZone())}</time>
            {row.user_email === null ? null : ` · ${row.user_email}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Stands where notifications will be. */
export function ComingNotifications({ count }: { count: number }) {
  return (
    <ul aria-hidden className="divide-y divide-line">
      {Array.from({ length: count }, (_, row) => (
        <li key={row} className="flex flex-col gap-2.5 px-4 py-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-3 w-1/4" />
        </li>
      ))}
    </ul>
  )
}
