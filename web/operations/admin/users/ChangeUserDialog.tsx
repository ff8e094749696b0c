import { useState } from 'react'
import { admin, type AdminUser, CREDITS_MAX, type Tier, TIERS } from '#contract/operations/admin.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'
import { readAdminUser } from '../admin-session.ts'
import { tierName } from '../tier-name.ts'

const FAILED = 'Failed to change user'
const REFRESHES = [admin.users, admin.stats]
const isTier = (tier: string): tier is Tier => (TIERS as readonly string[]).includes(tier)

type ChangeUserDialogProps = { open: boolean; onClose: () => void; user: AdminUser }

/** Plan, credits and rights of a user. */
export function ChangeUserDialog({ open, onClose, user }: ChangeUserDialogProps) {
  const [tier, setTier] = useState(user.pricing_tier)
  const [isAdmin, setIsAdmin] = useState(user.is_admin)
  const [credits, setCredits] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const [fault, setFault] = useState<string | null>(null)
  const change = useAdminCommand(admin.changeUser, { refreshes: REFRESHES })
  const give = useAdminCommand(admin.changeCredits, { refreshes: REFRESHES })
  const busy = change.isPending || give.isPending
  const isOneself = readAdminUser()?.id === user.id

  const save = async () => {
    if (busy) return
    const amount = credits.trim() === '' ? 0 : Number(credits.trim().replace('−', '-'))
    setFault(null)
    if (!Number.isInteger(amount) || Math.abs(amount) > CREDITS_MAX)
      return setWrong(`Please enter a whole number, at most ${CREDITS_MAX.toLocaleString('en')}`)
    setWrong(undefined)
    const changes = {
      ...(tier !== user.pricing_tier && isTier(tier) ? { pricing_tier: tier } : {}),
      ...(isAdmin === user.is_admin ? {} : { is_admin: isAdmin }),
    }
    const params = { id: user.id }
    try {
      // Credits first: that is what may be refused, and then nothing has changed.
      if (amount !== 0) await give.mutateAsync({ params, body: { amount } })
      setCredits('')
      if (Object.keys(changes).length > 0) await change.mutateAsync({ params, body: changes })
      toast.success('User changed successfully')
      onClose()
    } catch (error) {
      setFault(sentenceOf(error, FAILED))
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Change User"
      description={user.email}
      onSubmit={() => void save()}
      busy={busy}
      error={fault}
      submit="Save"
    >
      <div className="flex flex-col gap-4">
        <Field label="Tier">
          <Select
            value={tier}
            options={TIERS.map((each) => ({ value: each, label: tierName(each) }))}
            onChange={(event) => setTier(event.target.value)}
          />
        </Field>
        <Field
          label="Credits to give"
          help={`${user.available_credits.toLocaleString('en')} now. A negative number takes some away. They expire after 12 months.`}
          error={wrong}
        >
          <TextInput
            value={credits}
            inputMode="numeric"
            placeholder="0"
            onChange={(event) => setCredits(event.target.value)}
          />
        </Field>
        <Checkbox
          label={isOneself ? 'Administrator (only another administrator can end it)' : 'Administrator'}
          checked={isAdmin}
          disabled={isOneself}
          onChange={(event) => setIsAdmin(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}
