import { useState } from 'react'
import { admin } from '#contract/operations/admin.ts'
import { type Ban, bans, MISSING_UNBAN_REASON, UNBAN_REASON_MAX } from '#contract/operations/bans.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'
import { saidOfFailure } from './said-of-failure.ts'

type UnbanDialogProps = { open: boolean; onClose: () => void; ban: Ban }

/** Asks why a ban is lifted. */
export function UnbanDialog({ open, onClose, ban }: UnbanDialogProps) {
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const { mutate, isPending } = useAdminCommand(bans.unban, {
    refreshes: [bans.list, admin.users, admin.stats],
    onSuccess: () => {
      toast.success('User unbanned successfully')
      onClose()
    },
    onError: (error) => toast.error(saidOfFailure(error, 'Error unbanning user')),
  })
  const unban = () => {
    if (reason.trim() === '') return setWrong(MISSING_UNBAN_REASON)
    setWrong(undefined)
    mutate({ body: { user_id: ban.user_id, reason } })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Unban User"
      description={`${ban.user_email} can log in again, and mail that waited leaves at once. They get a mail with your reason.`}
      onSubmit={unban}
      busy={isPending}
      submit="Unban"
    >
      <Field label="Reason" error={wrong} required>
        <TextArea
          value={reason}
          maxLength={UNBAN_REASON_MAX}
          rows={3}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
