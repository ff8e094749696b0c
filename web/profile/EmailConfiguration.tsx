import type { EmailSettings } from '#contract/mailboxes.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { useSession } from '#web/auth/session.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Disconnect } from './Disconnect.tsx'
import { EmailForm } from './EmailForm.tsx'
import { FolderList } from './FolderList.tsx'
import { PracticeCard } from './PracticeCard.tsx'

/** Folders are read in the background; the page looks again even where no event comes through. */
const LOOK_AGAIN_MS = 30_000

/** The mail account: practice mailbox or one's own, how it stands, and its settings. */
export function EmailConfiguration() {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useEndpoint(mailboxes.get, {
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <Card title="Email Configuration" actions={data === undefined ? null : <Standing saved={data} />}>
      {data !== undefined ? (
        <Loaded saved={data} now={new Date(dataUpdatedAt)} />
      ) : error !== null ? (
        <ErrorState
          message="Failed to load email settings"
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Loading />
      )}
    </Card>
  )
}

function Standing({ saved }: { saved: EmailSettings }) {
  if (!saved.configured) return <Badge>Not set up</Badge>
  return (
    <>
      {saved.practice ? (
        <Badge tone="moon">Practice mailbox</Badge>
      ) : (
        <Badge tone={saved.last_error === null ? 'green' : 'red'}>
          {saved.last_error === null ? 'Connected' : 'Needs attention'}
        </Badge>
      )}
      <Disconnect saved={saved} />
    </>
  )
}

function Loaded({ saved, now }: { saved: EmailSettings; now: Date }) {
  const ownInUse = saved.configured && !saved.practice
  return (
    <div className="flex flex-col gap-6">
      {saved.last_error === null ? null : (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 wrap-anywhere text-danger">
          {saved.last_error}
        </p>
      )}
      {saved.practice ? <InPractice saved={saved} /> : saved.configured ? null : <PracticeCard first />}
      <EmailForm saved={saved} />
      {ownInUse && saved.imap_host !== '' ? <FolderList folders={saved.folders} now={now} /> : null}
      {ownInUse ? <PracticeCard first={false} /> : null}
    </div>
  )
}

function InPractice({ saved }: { saved: EmailSettings }) {
  const user = useSession().user
  const own = saved.smtp_host === '' ? 'connect your own account below' : 'save your own account below'
  return (
    <div className="rounded-lg bg-accent-soft p-4">
      <h3 className="font-semibold">You are practising</h3>
      <p className="max-w-prose text-ink-2">
        Emails from {user?.email ?? 'your address'} stay inside Howl, and invented people answer them within a
        minute. When you have seen enough, {own}: everything from practice is then deleted, and your contacts
        go back to how they were.
      </p>
    </div>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-6" aria-busy="true">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-8.5 w-full max-w-140" />
      <div className="grid gap-10 md:grid-cols-2">
        <Skeleton className="h-64 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    </div>
  )
}
