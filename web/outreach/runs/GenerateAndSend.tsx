import { Send } from 'lucide-react'
import { Button } from '#web/platform/ui/Button.tsx'
import { GenerateDialogs } from './GenerateDialogs.tsx'
import { useGenerateAndSend } from './use-generate-and-send.ts'

/** The button that writes and sends an email to every contact, with the dialogs it opens. */
export function GenerateAndSend() {
  const flow = useGenerateAndSend()
  return (
    <>
      <Button
        // While a run is in progress, its own card is more important.
        variant={flow.underWay ? 'quiet' : 'primary'}
        icon={<Send aria-hidden className="size-4" />}
        aria-label="Generate & Send Emails"
        busy={flow.busy}
        className="max-sm:w-full"
        onClick={flow.begin}
      >
        Generate & Send Emails
      </Button>
      <GenerateDialogs flow={flow} />
    </>
  )
}
