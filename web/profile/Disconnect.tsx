import { useState } from 'react'
import { type EmailSettings, mailboxes } from '#contract/mailboxes.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'

/** Ends the connection of the account in use, after one question. */
export function Disconnect({ saved }: { saved: EmailSettings }) {
  const [asking, setAsking] = useState(false)
  const remove = useCommand(mailboxes.remove, {
    refreshes: [mailboxes.get],
    onSuccess: () => {
      setAsking(false)
      toast.success(saved.practice ? 'The practice mailbox is closed' : 'Email account disconnected')
    },
  })
  const open = () => {
    remove.reset()
    setAsking(true)
  }
  return (
    <>
      <Button variant="plain" onClick={open}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={saved.practice ? 'Disconnect the practice mailbox?' : `Disconnect ${saved.smtp_from}?`}
        action="Disconnect"
        danger
        busy={remove.isPending}
        error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to disconnect')}
        onConfirm={() => remove.mutate({})}
      >
        {saved.practice
          ? 'The emails and answers from practice will be deleted, and your contacts go back to how they were. Drafts stay.'
          : 'Howl stops sending and reading through this account and forgets its passwords. Emails that are already here stay.'}
      </ConfirmDialog>
    </>
  )
}
