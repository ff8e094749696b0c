import { Suspense } from 'react'
import type { useGenerateAndSend } from './use-generate-and-send.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const ConfirmRunDialog = lazyPart(() => import('./ConfirmRunDialog.tsx'), 'ConfirmRunDialog')
const EmailConfigurationDialog = lazyPart(
  () => import('../../mail/mailboxes/EmailConfigurationDialog.tsx'),
  'EmailConfigurationDialog',
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
          onSpread={flow.setSpread}
          choosing={flow.choosing}
          onChanged={flow.revise}
        />
      )}
    </Suspense>
  )
}
