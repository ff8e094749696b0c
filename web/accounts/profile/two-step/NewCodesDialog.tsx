import { useState } from 'react'
import { twoStep } from '#contract/accounts/two-step.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { recoveryCodesView } from './RecoveryCodes.tsx'
import { useProof } from './use-proof.tsx'

/** Makes new recovery codes and shows them. */
export function NewCodesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renew = useCommand(twoStep.renewCodes, {
    refreshes: [twoStep.get],
    onSuccess: (reply) => setCodes(reply.recovery_codes),
  })
  const asking = useProof({
    title: 'Make new recovery codes',
    description: 'The codes that you have now will not work any more.',
    action: 'Make new codes',
    busy: renew.isPending,
    error: renew.error,
    onClose,
    onProof: (body) => renew.mutate({ body }),
  })
  const view =
    codes === null ? asking : recoveryCodesView({ title: 'Your new recovery codes', codes, onClose })
  return <Dialog open={open} onClose={onClose} {...view} />
}
