import { useState } from 'react'
import { admin } from '#contract/operations/admin.ts'
import {
  BAN_DAYS_MAX,
  BAN_DESCRIPTION_MAX,
  BAN_REASON_LABELS,
  BAN_REASONS,
  type BanReason,
  bans,
  MISSING_DESCRIPTION,
  MISSING_USER_ID,
  WRONG_DAYS,
} from '#contract/operations/bans.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'
import { saidOfFailure } from './said-of-failure.ts'
import { readUserId, useNamedUser, UserIdField } from './UserIdField.tsx'

const REASONS = BAN_REASONS.map((value) => ({ value, label: BAN_REASON_LABELS[value] }))

/** What is wrong; `of` is the number that it was said of. */
type Faults = { of?: string; userId?: string; description?: string; days?: string }

type BanFormProps = {
  userId: string
  onUserId: (userId: string) => void
  /** What stands in the form at first. */
  proposed: { reason: BanReason; description: string }
}

/** Bans the user with this number. */
export function BanForm({ userId, onUserId, proposed }: BanFormProps) {
  const [reason, setReason] = useState(proposed.reason)
  const [description, setDescription] = useState(proposed.description)
  const [days, setDays] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const named = useNamedUser(userId)
  const { mutate, isPending } = useAdminCommand(bans.ban, {
    refreshes: [bans.findUsers, bans.list, admin.users, admin.stats],
    onSuccess: (ban, { body }) => {
      // Whoever is banned already stays banned as before.
      if (ban.reason === body?.reason && ban.description === body.description.trim())
        toast.success('User banned successfully')
      else toast.info('This user was banned already. Nothing has changed.')
      onUserId('')
      setReason('spam')
      setDescription('')
      setDays('')
    },
    onError: (error) => toast.error(saidOfFailure(error, 'Error banning user')),
  })
  const submit = () => {
    if (isPending) return
    const id = readUserId(userId)
    const length = readDays(days)
    const found: Faults = {
      ...(id === undefined ? { userId: MISSING_USER_ID } : {}),
      ...(named.user === null || named.user.ban === null ? {} : { userId: 'This user is banned already' }),
      ...(description.trim() === '' ? { description: MISSING_DESCRIPTION } : {}),
      ...(length === undefined ? { days: WRONG_DAYS } : {}),
    }
    setFaults({ of: userId, ...found })
    if (id === undefined || length === undefined || Object.keys(found).length > 0) return
    mutate({ body: { user_id: id, reason, description, ban_duration_days: length } })
  }
  return (
    <form
      noValidate
      aria-label="Ban User"
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
      <Field label="Reason" required>
        <Select
          options={REASONS}
          value={reason}
          onChange={(event) => setReason(BAN_REASONS.find((each) => each === event.target.value) ?? 'spam')}
        />
      </Field>
      <Field label="Description" help="The banned user reads this." error={faults.description} required>
        <TextArea
          value={description}
          maxLength={BAN_DESCRIPTION_MAX}
          rows={3}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <Field label="Duration in days" help="Leave it empty for a permanent ban." error={faults.days}>
        {/* Text: a number field tells nothing of what it cannot read, and a slip of the finger would ban for good. */}
        <TextInput
          inputMode="numeric"
          placeholder="Permanent"
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </Field>
      <p className="text-sm text-ink-2">
        The user is signed out at once, and no mail is sent or read for them. They get a mail that says why
        and until when, and can appeal.
      </p>
      <Button type="submit" variant="danger" busy={isPending} className="self-start">
        Ban User
      </Button>
    </form>
  )
}

/** How long a ban lasts: null for ever, undefined for what is no number of days. */
function readDays(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= BAN_DAYS_MAX ? days : undefined
}
