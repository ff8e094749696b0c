import { lazy, Suspense } from 'react'
import type { useGenerateAndSend } from './use-generate-and-send.ts'

const ConfirmRunDialog = lazy(() =>
  import('./ConfirmRunDialog.tsx').then((m) => ({ default: m.ConfirmRunDialog })),
)
const EmailConfigurationDialog = lazy(() =>
  import('../../mail/mailboxes/EmailConfigurationDialog.tsx').then((m) => ({
    default: m.EmailConfigurationDialog,
  })),
)

/** The dialogs before a run: missing mailbox settings, and the confirmation. */
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
          onChoose={flow.choose}
          onWriteFrom={flow.writeFrom}
          choosing={flow.choosing}
          onChanged={flow.revise}
        />
      )}
    </Suspense>
  )
}
