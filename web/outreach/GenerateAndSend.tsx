import { Send } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { useGenerateAndSend } from './use-generate-and-send.ts'

const ConfirmRunDialog = lazy(() =>
  import('./ConfirmRunDialog.tsx').then((m) => ({ default: m.ConfirmRunDialog })),
)
const EmailConfigurationDialog = lazy(() =>
  import('./EmailConfigurationDialog.tsx').then((m) => ({ default: m.EmailConfigurationDialog })),
)

/** The button that writes and sends an email to every contact, with the dialogs it opens. */
export function GenerateAndSend() {
  const flow = useGenerateAndSend()
  return (
    <>
      <Button
        // While a run is under way, its own card is what matters.
        variant={flow.underWay ? 'quiet' : 'primary'}
        icon={<Send aria-hidden className="size-4" />}
        aria-label="Generate & Send Emails"
        busy={flow.busy}
        className="max-sm:w-full"
        onClick={flow.begin}
      >
        Generate & Send Emails
      </Button>
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
    </>
  )
}
