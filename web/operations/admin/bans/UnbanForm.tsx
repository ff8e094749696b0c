import { useState } from 'react'
import { admin } from '#contract/operations/admin.ts'
import { bans, MISSING_UNBAN_REASON, MISSING_USER_ID, UNBAN_REASON_MAX } from '#contract/operations/bans.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'
import { saidOfFailure } from './said-of-failure.ts'
import { readUserId, useNamedUser, UserIdField } from './UserIdField.tsx'

/** Unbans the user with this number. */
export function UnbanForm({ userId, onUserId }: { userId: string; onUserId: (userId: string) => void }) {
  const [reason, setReason] = useState('')
  const [faults, setFaults] = useState<{ of?: string; userId?: string; reason?: string }>({})
  const named = useNamedUser(userId)
  const { mutate, isPending } = useAdminCommand(bans.unban, {
    refreshes: [bans.findUsers, bans.list, admin.users, admin.stats],
    onSuccess: () => {
      toast.success('User unbanned successfully')
      onUserId('')
      setReason('')
    },
    onError: (error) => toast.error(saidOfFailure(error, 'Error unbanning user')),
  })
  const submit = () => {
    if (isPending) return
    const id = readUserId(userId)
    setFaults({
      of: userId,
      ...(id === undefined ? { userId: MISSING_USER_ID } : {}),
      ...(reason.trim() === '' ? { reason: MISSING_UNBAN_REASON } : {}),
    })
    if (id === undefined || reason.trim() === '') return
    mutate({ body: { user_id: id, reason } })
  }
  return (
    <form
      noValidate
      aria-label="Unban User"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex flex-col gap-4"
    >
      <UserIdField
        value={userId}
        onChange={onUserId}
        named={named}
        error={faults.of === userId ? faults.userId : undefined}
      />
      <Field label="Reason" help="The user reads this." error={faults.reason} required>
        <TextArea
          value={reason}
          maxLength={UNBAN_REASON_MAX}
          rows={3}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" busy={isPending} className="self-start">
        Unban User
      </Button>
    </form>
  )
}
