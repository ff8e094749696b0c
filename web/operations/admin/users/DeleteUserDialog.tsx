import { useState } from 'react'
import { admin, type AdminUser, DELETION_REASON_MAX } from '#contract/operations/admin.ts'
import { RESTORE_DAYS } from '#contract/operations/leaving.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'

const FAILED = 'Failed to delete user'

type DeleteUserDialogProps = { open: boolean; onClose: () => void; user: AdminUser }

/** Asks for the reason of a deletion. */
export function DeleteUserDialog({ open, onClose, user }: DeleteUserDialogProps) {
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useAdminCommand(admin.deleteUser, {
    refreshes: [admin.users, admin.stats],
    onSuccess: () => {
      toast.success('User deleted successfully')
      onClose()
    },
    onError: () => toast.error(FAILED),
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Delete User"
      description={`${user.email} is signed out at once, and no mail is sent or read for them. The account can be restored for ${RESTORE_DAYS} days. Its owner gets a mail.`}
      onSubmit={() => mutate({ params: { id: user.id }, body: { user_id: user.id, reason } })}
      busy={isPending}
      error={error === null ? null : sentenceOf(error, FAILED)}
      submit="Delete"
      danger
    >
      <Field label="Reason" help="It stands in the mail to the owner.">
        <TextArea
          value={reason}
          maxLength={DELETION_REASON_MAX}
          rows={3}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
