import { twoStep } from '#contract/accounts/two-step.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useProof } from './use-proof.tsx'

/** Switches two-step sign-in off. */
export function SwitchOffDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const off = useCommand(twoStep.switchOff, {
    refreshes: [twoStep.get],
    onSuccess: () => {
      onClose()
      toast.success('Two-step sign-in is off')
    },
  })
  const view = useProof({
    title: 'Switch off two-step sign-in?',
    description: 'Then your password alone is enough to log in. Your recovery codes are void.',
    action: 'Switch off',
    danger: true,
    busy: off.isPending,
    error: off.error,
    onClose,
    onProof: (body) => off.mutate({ body }),
  })
  return <Dialog open={open} onClose={onClose} {...view} />
}
