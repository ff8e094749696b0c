import { useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { twoStep } from '#contract/accounts/two-step.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { recoveryCodesView } from './RecoveryCodes.tsx'
import { useAppStep } from './use-app-step.tsx'
import { usePasswordStep } from './use-password-step.tsx'
import { devices } from '#contract/accounts/devices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Sets two-step sign-in up: the password, the app and its first code, then the recovery codes. */
export function SetUpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<ReplyOf<typeof twoStep.begin> | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const passwordStep = usePasswordStep({ onClose, onDone: setSecret })
  const appStep = useAppStep({ secret, onClose, onDone: setCodes })
  const view =
    codes !== null
      ? recoveryCodesView({ title: 'Two-step sign-in is on', codes, onClose, children: <OtherDevices /> })
      : (appStep ?? passwordStep)
  return <Dialog open={open} onClose={onClose} {...view} />
}

/** Says that sessions from before go on, and ends them if that is wanted. Nothing where there are none. */
function OtherDevices() {
  const { data } = useEndpoint(devices.sessions)
  const end = useCommand(devices.endOtherSessions, {
    refreshes: [devices.sessions],
    onSuccess: () => toast.success('You are signed out everywhere else'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to sign out your other devices')),
  })
  const others = (data?.length ?? 1) - 1
  if (others < 1) return null
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="min-w-0 flex-1 basis-56 text-ink-2">
        {others === 1 ? 'One other device stays' : `${others} other devices stay`} signed in without a code.
      </p>
      <Button onClick={() => end.mutate({})} busy={end.isPending}>
        Sign out everywhere else
      </Button>
    </div>
  )
}
