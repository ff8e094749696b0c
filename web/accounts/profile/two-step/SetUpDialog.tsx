import { useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { twoStep } from '#contract/accounts/two-step.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { OtherDevices } from './OtherDevices.tsx'
import { recoveryCodesView } from './RecoveryCodes.tsx'
import { useAppStep } from './use-app-step.tsx'
import { usePasswordStep } from './use-password-step.tsx'

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
