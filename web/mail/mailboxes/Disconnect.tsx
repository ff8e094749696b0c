import { type ReactNode, useState } from 'react'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type EmailSettings, type MailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const REFRESHES = [mailboxes.get, mailboxes.accounts]
const OF_OWN =
  'Howl stops sending and reading through this account and forgets its passwords. Emails that are already here stay, and those still waiting to leave through it wait until you connect it again.'

/** Ends the connection of the account in use, after one question. */
export function Disconnect({ saved }: { saved: EmailSettings }) {
  const remove = useCommand(mailboxSetup.remove, {
    refreshes: REFRESHES,
    onSuccess: () =>
      toast.success(saved.practice ? 'The practice mailbox is closed' : 'Email account disconnected'),
  })
  return (
    <Question
      title={saved.practice ? 'Disconnect the practice mailbox?' : `Disconnect ${saved.smtp_from}?`}
      label="Disconnect"
      command={{ ...remove, start: (onSuccess) => remove.mutate({}, { onSuccess }) }}
    >
      {saved.practice
        ? 'The emails and answers from practice will be deleted, and your contacts go back to how they were. Drafts stay.'
        : OF_OWN}
    </Question>
  )
}

/** Ends the connection of one of several accounts, after one question. */
export function DisconnectAccount({ account: { id, address, ...account } }: { account: MailAccount }) {
  const remove = useCommand(mailboxSetup.removeAccount, {
    refreshes: REFRESHES,
    onSuccess: (accounts) => {
      const next = accounts.find((other) => other.default)
      const moved = account.default && next !== undefined ? ` ${next.address} is the default now.` : ''
      toast.success(`Email account disconnected.${moved}`)
    },
  })
  return (
    <Question
      title={`Disconnect ${address}?`}
      label={`Disconnect ${address}`}
      command={{ ...remove, start: (onSuccess) => remove.mutate({ params: { id } }, { onSuccess }) }}
    >
      {OF_OWN}
    </Question>
  )
}

type QuestionProps = {
  title: string
  /** The button's name; it reads "Disconnect". */
  label: string
  command: {
    isPending: boolean
    error: ApiError | null
    reset: () => void
    start: (onSuccess: () => void) => void
  }
  children: ReactNode
}

function Question({ title, label, command, children }: QuestionProps) {
  const [asking, setAsking] = useState(false)
  const open = () => {
    command.reset()
    setAsking(true)
  }
  return (
    <>
      <Button variant="plain" aria-label={label} onClick={open}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={title}
        action="Disconnect"
        danger
        busy={command.isPending}
        error={command.error === null ? null : sentenceOf(command.error, 'Failed to disconnect')}
        onConfirm={() => command.start(() => setAsking(false))}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
