import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import type { CancelRunDialogProps } from './CancelRunDialog.tsx'
import { counted } from './run-text.ts'

/** Asks for confirmation before the rest of a run is written from the template. */
export function WithoutModelDialog({ run, open, busy, onClose, onConfirm }: CancelRunDialogProps) {
  const { unwritten } = run.summary
  const rest = unwritten === 1 ? 'last email' : `remaining ${counted(unwritten, 'email')}`
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Write the ${rest} from the template?`}
      size="s"
      busy={busy}
      description={
        <p>The language model isn’t used, and Howl starts sending right away. This can’t be undone.</p>
      }
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={onConfirm}>
            Write from the template
          </Button>
        </>
      }
    />
  )
}
