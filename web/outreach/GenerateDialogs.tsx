import { lazy, Suspense } from 'react'
import type { useGenerateAndSend } from './use-generate-and-send.ts'

const ConfirmRunDialog = lazy(() =>
  import('./ConfirmRunDialog.tsx').then((m) => ({ default: m.ConfirmRunDialog })),
)
const EmailConfigurationDialog = lazy(() =>
  import('./EmailConfigurationDialog.tsx').then((m) => ({ default: m.EmailConfigurationDialog })),
)

/** What is asked on the way to a run: for a mailbox, and whether it is to begin. */
export function GenerateDialogs({ flow }: { flow: ReturnType<typeof useGenerateAndSend> }) {
  return (
    <Suspense fallback={null}>
      <EmailConfigurationDialog open={flow.shown === 'configure'} onClose={flow.close} />
      {flow.plan === null ? null : (
        <ConfirmRunDialog
          plan={flow.plan}
          open={flow.shown === 'confirm'}
          onClose={flow.close}
          onConfirm={flow.confirm}
        />
      )}
    </Suspense>
  )
}
