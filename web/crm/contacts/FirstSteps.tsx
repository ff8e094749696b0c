import { Plus, Upload, Users } from 'lucide-react'
import { Button } from '#web/platform/ui/Button.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'

/** Shown while there are no contacts: what to do next. */
export function FirstSteps({ onAdd, onImport }: { onAdd: () => void; onImport: () => void }) {
  return (
    <EmptyState
      title="No contacts yet"
      className="py-20"
      art={<Users aria-hidden className="size-8" strokeWidth={1.5} />}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button icon={<Plus aria-hidden className="size-4" />} onClick={onAdd}>
            Add Contact
          </Button>
          <Button icon={<Upload aria-hidden className="size-4" />} onClick={onImport}>
            Import a file
          </Button>
        </div>
      }
    >
      Add people one by one, or import them all from a spreadsheet or an address book as a CSV or vCard file.
      You can also drop the file anywhere on this page.
    </EmptyState>
  )
}
