import { type InvitationStatus, type ReferralActivity, referrals } from '#contract/operations/referrals.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { mailAge } from '#web/platform/dates/mail-age.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useNow } from '#web/platform/ui/use-now.ts'

const STATUS: Record<InvitationStatus, { word: string; tone: BadgeTone }> = {
  pending: { word: 'Pending', tone: 'gray' },
  sent: { word: 'Sent', tone: 'gray' },
  opened: { word: 'Opened', tone: 'blue' },
  signed_up: { word: 'Joined!', tone: 'green' },
}

/** The newest five invitations and friends. */
export function RecentInvitations() {
  const query = useEndpoint(referrals.stats)
  return (
    <Card title="Recent activity" flush>
      <Loaded query={query} failed="Your invitations could not be loaded." waiting={<Loading />}>
        {({ recent_activity: rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No invitations yet" className="border-t border-line">
              Invite a friend by email, or share your code.
            </EmptyState>
          ) : (
            <ul aria-label="Recent activity" className="divide-y divide-line border-t border-line">
              {rows.map((row) => (
                <Row key={`${row.email} ${row.created_at}`} row={row} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Row({ row }: { row: ReferralActivity }) {
  const timeZone = useTimeZone()
  const now = useNow(60_000)
  const { word, tone } = row.failed ? ({ word: 'Not delivered', tone: 'red' } as const) : STATUS[row.status]
  return (
    <li className="flex min-h-13 items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1 truncate font-medium" title={row.email}>
        {row.email}
      </span>
      {row.credits_earned > 0 ? (
        <span className="shrink-0 text-sm text-green tabular-nums">+{row.credits_earned} credits</span>
      ) : null}
      <Badge tone={tone}>{word}</Badge>
      <time
        dateTime={row.created_at}
        className="shrink-0 text-right text-sm text-ink-2 tabular-nums max-sm:sr-only sm:min-w-12"
      >
        {mailAge(new Date(row.created_at), now, timeZone)}
      </time>
    </li>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="divide-y divide-line border-t border-line">
      {['w-1/2', 'w-2/5', 'w-3/5'].map((width) => (
        <div key={width} className="flex h-13 items-center px-4">
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  )
}
