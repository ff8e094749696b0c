import type { Batch } from '#contract/outreach/runs.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { counted } from './run-text.ts'

export type CancelRunDialogProps = {
  run: Batch
  open: boolean
  busy: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation before a run is cancelled for good. */
export function CancelRunDialog({ run, open, busy, onClose, onConfirm }: CancelRunDialogProps) {
  const { sent, pending } = run.summary
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Cancel the run?"
      size="s"
      busy={busy}
      description={
        <p>
          {sent === 0
            ? 'Nothing has been sent yet. '
            : `${counted(sent, 'email')} ${sent === 1 ? 'has' : 'have'} already been sent. `}
          {counted(pending, 'contact')} will get no email from this run; a later run can write to them.
        </p>
      }
      footer={
        <>
          {/* Not "Cancel": beside "Cancel run" it would be unclear which of the two keeps sending. */}
          <Button onClick={onClose} disabled={busy}>
            Keep sending
          </Button>
          <Button variant="danger" busy={busy} onClick={onConfirm}>
            Cancel run
          </Button>
        </>
      }
    />
  )
}
