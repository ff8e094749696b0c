import { useNavigate } from 'react-router'
import { RESTORE_DAYS } from '#contract/operations/leaving.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'

/** Leads to the deletion of the account. */
export function AccountManagement() {
  const navigate = useNavigate()
  return (
    <Card title="Account Management">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-ink-2">
          Delete your account and everything in it. For {RESTORE_DAYS} days, whoever runs this Howl can
          restore it.
        </p>
        <Button onClick={() => void navigate(paths.deleteAccount)}>Delete Account</Button>
      </div>
    </Card>
  )
}
