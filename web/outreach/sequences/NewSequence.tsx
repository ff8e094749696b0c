import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { ExampleChoice } from './ExampleChoice.tsx'

/** Asks what a new sequence begins with. */
export function NewSequence({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New sequence"
      description="Begin with an example. You can change everything; nothing is sent before you start it."
      size="l"
    >
      <div className="flex flex-col gap-4">
        <ExampleChoice />
      </div>
    </Dialog>
  )
}
