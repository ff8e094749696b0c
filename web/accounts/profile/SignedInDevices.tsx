import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { devices } from '#contract/accounts/devices.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { deviceOf } from './device-name.ts'
import { timeAgo } from './time-ago.ts'

/** "Last seen" moves on while the page is open; log-ins and log-outs come as live events. */
const LOOK_AGAIN_MS = 60_000
/** Rows that are shown at first. */
const SHOWN_FIRST = 5

type Session = ReplyOf<typeof devices.sessions>[number]

/** Where the account is signed in. Any other device can be signed out from here. */
export function SignedInDevices() {
  const query = useEndpoint(devices.sessions, { refetchInterval: LOOK_AGAIN_MS })
  const { data } = query
  return (
    <Card
      title="Signed-in Devices"
      actions={data !== undefined && data.length > 1 ? <SignOutOthers count={data.length - 1} /> : undefined}
    >
      <Loaded
        query={query}
        failed="Failed to load your devices"
        waiting={
          <div className="flex flex-col gap-3" aria-busy="true">
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </div>
        }
      >
        {(sessions) => <Devices sessions={sessions} now={new Date(query.dataUpdatedAt)} />}
      </Loaded>
    </Card>
  )
}

function Devices({ sessions, now }: { sessions: readonly Session[]; now: Date }) {
  const [showsAll, showAll] = useState(false)
  const sorted = [...sessions].sort((one, other) => Number(other.current) - Number(one.current))
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN_FIRST)
  return (
    <>
      <ul className="-mt-1 divide-y divide-line">
        {shown.map((session) => (
          <Device key={session.id} session={session} now={now} />
        ))}
      </ul>
      {shown.length < sorted.length ? (
        <Button variant="plain" onClick={() => showAll(true)} className="mt-1 -ml-3">
          Show all {sorted.length} devices
        </Button>
      ) : null}
    </>
  )
}

function Device({ session, now }: { session: Session; now: Date }) {
  const { name, isPhone } = deviceOf(session.user_agent)
  const Icon = isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {session.current ? <Badge tone="green">This device</Badge> : null}
        </p>
        <p className="text-sm wrap-anywhere text-ink-2">
          {session.ip} ·{' '}
          {session.current ? (
            'In use now'
          ) : (
            <>
              Last seen{' '}
              <time dateTime={session.last_seen_at}>{timeAgo(new Date(session.last_seen_at), now)}</time>
            </>
          )}
        </p>
      </div>
      {session.current ? null : <SignOutOne id={session.id} name={name} />}
    </li>
  )
}

function SignOutOne({ id, name }: { id: string; name: string }) {
  const [asking, setAsking] = useState(false)
  const end = useCommand(devices.endSession, {
    refreshes: [devices.sessions],
    onSuccess: () => {
      setAsking(false)
      toast.success(`${name} is signed out`)
    },
  })
  return (
    <>
      <Button
        size="s"
        aria-label={`Sign out ${name}`}
        onClick={() => {
          end.reset()
          setAsking(true)
        }}
      >
        Sign out
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Sign out ${name}?`}
        action="Sign out"
        danger
        busy={end.isPending}
        error={end.error === null ? null : sentenceOf(end.error, 'Failed to sign out this device')}
        onConfirm={() => end.mutate({ params: { id } })}
      >
        Whoever uses Howl there has to log in again. If you do not know this device, change your password too.
      </ConfirmDialog>
    </>
  )
}

function SignOutOthers({ count }: { count: number }) {
  const [asking, setAsking] = useState(false)
  const end = useCommand(devices.endOtherSessions, {
    refreshes: [devices.sessions],
    onSuccess: () => {
      setAsking(false)
      toast.success('You are signed out everywhere else')
    },
  })
  return (
    <>
      <Button
        variant="plain"
        onClick={() => {
          end.reset()
          setAsking(true)
        }}
      >
        Sign out everywhere else
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere else?"
        action="Sign out everywhere else"
        danger
        busy={end.isPending}
        error={end.error === null ? null : sentenceOf(end.error, 'Failed to sign out your other devices')}
        onConfirm={() => end.mutate({})}
      >
        {count === 1 ? 'One other device is' : `${count} other devices are`} signed out at once. You stay
        signed in here.
      </ConfirmDialog>
    </>
  )
}
