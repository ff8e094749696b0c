import { useState } from 'react'
import { type EmailSettings, type MailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { toldTrouble } from '#web/mail/email-text/next-try.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { AccountList, StandingBadge } from './AccountList.tsx'
import { AddAccount } from '../../mail/mailboxes/AddAccount.tsx'
import { ConnectDefaultAgain } from '../../mail/mailboxes/ConnectAgain.tsx'
import { Disconnect } from '../../mail/mailboxes/Disconnect.tsx'
import { EmailForm } from '../../mail/mailboxes/EmailForm.tsx'
import { FIRST_LOOK_MS, FolderList, LOOK_AGAIN_MS } from '../../mail/mailboxes/FolderList.tsx'
import { PracticeCard } from '../../mail/mailboxes/PracticeCard.tsx'
import { WarmUp } from '../../outreach/automatic-mail/WarmUp.tsx'

/** The mail accounts: practice mailbox or one's own, how they stand, and their settings. */
export function EmailConfiguration() {
  const settings = useEndpoint(mailboxes.get, { refetchInterval: LOOK_AGAIN_MS })
  const accounts = useEndpoint(mailboxes.accounts, { refetchInterval: LOOK_AGAIN_MS })
  const { data: saved, dataUpdatedAt } = settings
  const own = accounts.data?.filter(({ practice, connected }) => connected && !practice)
  const isFailed = settings.error !== null || accounts.error !== null
  return (
    <Card
      title="Email Configuration"
      actions={
        saved === undefined || own === undefined ? null : <Standing saved={saved} isOne={own.length < 2} />
      }
    >
      {saved !== undefined && own !== undefined ? (
        <Loaded saved={saved} own={own} now={new Date(dataUpdatedAt)} />
      ) : isFailed ? (
        <ErrorState
          message="Failed to load email settings"
          onRetry={() => {
            void settings.refetch()
            void accounts.refetch()
          }}
          busy={settings.isFetching || accounts.isFetching}
        />
      ) : (
        <Loading />
      )}
    </Card>
  )
}

/** How the account in use stands; of several each says so itself. */
function Standing({ saved, isOne }: { saved: EmailSettings; isOne: boolean }) {
  if (!saved.configured) return <Badge>Not set up</Badge>
  if (!saved.practice && !isOne) return null
  return (
    <>
      {saved.practice ? <Badge tone="moon">Practice mailbox</Badge> : <StandingBadge account={saved} />}
      <Disconnect saved={saved} />
    </>
  )
}

type LoadedProps = { saved: EmailSettings; own: readonly MailAccount[]; now: Date }

function Loaded({ saved, own, now }: LoadedProps) {
  const [adding, setAdding] = useState(false)
  const ownInUse = saved.configured && !saved.practice
  const isOne = own.length < 2
  return (
    <div className="flex flex-col gap-6">
      {saved.last_error === null || !(isOne || saved.practice) ? null : (
        <p
          role="alert"
          className={cx(
            'rounded-md px-3 py-2 wrap-anywhere',
            saved.waits_until === null ? 'bg-danger-soft text-danger' : 'bg-amber-soft',
          )}
        >
          {toldTrouble(saved.last_error, saved.waits_until, now)}
        </p>
      )}
      {isOne && saved.oauth?.withdrawn === true ? <ConnectDefaultAgain /> : null}
      {saved.practice ? (
        <InPractice saved={saved} isOne={isOne} />
      ) : saved.configured ? null : (
        <PracticeCard first />
      )}
      {isOne ? (
        // Only hidden while another account is added: what was typed here must not be lost.
        <div className={adding ? 'hidden' : 'flex flex-col gap-6'}>
          <OneAccount saved={saved} now={now} />
          {own.map(({ id }) => (
            <WarmUp key={id} id={id} />
          ))}
        </div>
      ) : null}
      {isOne && !adding ? null : <AccountList accounts={own} practising={saved.practice} now={now} />}
      {own.length === 0 ? null : (
        <div className={isOne && !adding ? 'border-t border-line pt-4' : ''}>
          <AddAccount
            count={own.length}
            max={saved.accounts_max}
            isOpen={adding}
            onOpen={setAdding}
            practising={saved.practice}
          />
        </div>
      )}
      {ownInUse ? <PracticeCard first={false} /> : null}
    </div>
  )
}

/** The form of the only account stands open: there is nothing to choose. */
function OneAccount({ saved, now }: { saved: EmailSettings; now: Date }) {
  const showsFolders = saved.configured && !saved.practice && saved.imap_host !== ''
  useEndpoint(mailboxes.get, {
    refetchInterval: showsFolders && saved.folders.length === 0 ? FIRST_LOOK_MS : false,
  })
  return (
    <>
      <EmailForm account="default" saved={saved} practising={saved.practice} />
      {showsFolders ? <FolderList account={saved} now={now} /> : null}
    </>
  )
}

function InPractice({ saved, isOne }: { saved: EmailSettings; isOne: boolean }) {
  const user = useSession().user
  const own = !isOne
    ? 'disconnect the practice mailbox'
    : saved.smtp_host === ''
      ? 'connect your own account below'
      : 'save your own account below'
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
