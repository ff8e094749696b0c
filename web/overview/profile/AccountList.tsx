import { useRef, useState } from 'react'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type MailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { toldTrouble } from '#web/mail/email-text/next-try.ts'
import { TryAgain } from '#web/mail/email-text/TryAgain.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { ConnectAgain } from '../../mail/mailboxes/ConnectAgain.tsx'
import { DisconnectAccount } from '../../mail/mailboxes/Disconnect.tsx'
import { EmailForm } from '../../mail/mailboxes/EmailForm.tsx'
import { FIRST_LOOK_MS, FolderList, LOOK_AGAIN_MS } from '../../mail/mailboxes/FolderList.tsx'
import { WarmUp } from '../../outreach/automatic-mail/WarmUp.tsx'

type AccountListProps = { accounts: readonly MailAccount[]; practising: boolean; now: Date }

/** The user's own accounts, the default one first. One at a time can be opened and edited. */
export function AccountList({ accounts, practising, now }: AccountListProps) {
  const [editing, setEditing] = useState<number | null>(null)
  const inOrder = accounts.toSorted(
    (one, other) => Number(other.default) - Number(one.default) || one.id - other.id,
  )
  return (
    <ul aria-label="Email accounts" className="divide-y divide-line border-y border-line">
      {inOrder.map((account) => (
        <Row
          key={account.id}
          account={account}
          isOnly={accounts.length === 1}
          practising={practising}
          now={now}
          isEditing={editing === account.id}
          onEdit={(isOpen) => setEditing(isOpen ? account.id : null)}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  account: MailAccount
  isOnly: boolean
  practising: boolean
  now: Date
  isEditing: boolean
  onEdit: (isOpen: boolean) => void
}

function Row({ account, isOnly, practising, now, isEditing, onEdit }: RowProps) {
  const { id, address, last_error: trouble, waits_until: until, reads_replies: readsReplies } = account
  const edit = useRef<HTMLButtonElement>(null)
  const close = () => {
    onEdit(false)
    edit.current?.focus()
  }
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium wrap-anywhere">{address}</span>
            {account.default && !isOnly ? <Badge tone="moon">Default</Badge> : null}
            <StandingBadge account={account} />
          </div>
          {readsReplies ? null : (
            <p className="text-sm text-ink-2">Sends only. Replies to this address are not read.</p>
          )}
        </div>
        <div className="-mx-3 flex flex-wrap gap-x-1">
          <Button
            ref={edit}
            variant="plain"
            aria-label={`Edit ${address}`}
            aria-expanded={isEditing}
            onClick={() => onEdit(!isEditing)}
          >
            Edit
          </Button>
          {account.default ? null : <MakeDefault account={account} />}
          <DisconnectAccount account={account} />
        </div>
      </div>
      {trouble === null ? null : (
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <p className={cx('min-w-0 wrap-anywhere', until === null && 'text-danger')}>
            {toldTrouble(trouble, until, now)}
          </p>
          {/* The opened account has a button of its own. */}
          {isEditing ? null : <TryAgain />}
        </div>
      )}
      <ConnectAgain account={account} />
      {isEditing ? <Editor id={id} practising={practising} onClose={close} /> : null}
    </li>
  )
}

/** Whether an account works, waits because its mail server asked for that, or needs its owner. */
export function StandingBadge({ account }: { account: Pick<MailAccount, 'last_error' | 'waits_until'> }) {
  if (account.last_error === null) return <Badge tone="green">Connected</Badge>
  if (account.waits_until !== null) return <Badge tone="amber">Waiting</Badge>
  return <Badge tone="red">Needs attention</Badge>
}

function MakeDefault({ account: { id, address } }: { account: MailAccount }) {
  const change = useCommand(mailboxSetup.saveAccount, {
    refreshes: [mailboxes.get, mailboxes.accounts, mailboxes.getAccount],
    onSuccess: () => toast.success(`${address} is the default now`),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to save email settings')),
  })
  return (
    <Button
      variant="plain"
      aria-label={`Make default: ${address}`}
      busy={change.isPending}
      onClick={() => change.mutate({ params: { id }, body: { primary: true } })}
    >
      Make default
    </Button>
  )
}

type EditorProps = { id: number; practising: boolean; onClose: () => void }

function Editor({ id, practising, onClose }: EditorProps) {
  const [isNew, setNew] = useState(false)
  const query = useEndpoint(mailboxes.getAccount, {
    params: { id },
    refetchInterval: isNew ? FIRST_LOOK_MS : LOOK_AGAIN_MS,
  })
  const { data } = query
  const isUnread = data !== undefined && data.imap_host !== '' && data.folders.length === 0
  if (isUnread !== isNew) setNew(isUnread)
  return (
    <Loaded
      query={query}
      failed="Failed to load email settings"
      waiting={<Skeleton className="mt-4 h-64 w-full" />}
    >
      {(saved) => (
        <div className="mt-4 flex flex-col gap-6 pb-2">
          <EmailForm
            account={id}
            saved={saved}
            practising={practising}
            onSaved={onClose}
            onCancel={onClose}
          />
          <WarmUp id={id} />
          {saved.imap_host === '' ? null : <FolderList account={saved} now={new Date(query.dataUpdatedAt)} />}
        </div>
      )}
    </Loaded>
  )
}
