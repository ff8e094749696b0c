import type { LiveEvent } from '#contract/platform/events.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { importStep, type Step, uploadStep } from './import-progress.ts'
import { ImportDone } from './ImportDone.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import type { Importing, ImportPlan } from './use-import.ts'

type ImportDialogProps = {
  importing: Importing
  told: LiveEvent | null
  onImport: (plan: ImportPlan) => void
  onClose: () => void
  onChoose: () => void
}

/** The dialog of an import, from the upload through the preview to the result. */
export function ImportDialog({ importing, told, onImport, onClose, onChoose }: ImportDialogProps) {
  if (importing.state === 'idle') return null
  const { fileName } = importing
  if (importing.state === 'uploading') {
    const { sent, size, stop } = importing
    return <Going key="upload" fileName={fileName} step={uploadStep(sent, size)} stop={stop} />
  }
  if (importing.state === 'running') {
    return <Going key="run" fileName={fileName} step={importStep(told)} stop={importing.stop} />
  }
  if (importing.state === 'failed') {
    return <Failed fileName={fileName} why={importing.why} onClose={onClose} onChoose={onChoose} />
  }
  if (importing.state === 'done') {
    return <ImportDone id={importing.id} fileName={fileName} result={importing.result} onClose={onClose} />
  }
  const { file, plan, error } = importing
  return (
    <ImportPreview
      key={file.id}
      file={file}
      plan={plan}
      told={told}
      error={error}
      onImport={onImport}
      onClose={onClose}
    />
  )
}

function Going({ fileName, step, stop }: { fileName: string; step: Step; stop: () => void }) {
  return (
    <Dialog
      open
      onClose={stop}
      title="Import Contacts"
      description={<span className="wrap-anywhere">{fileName}</span>}
      footer={<Button onClick={stop}>Cancel</Button>}
    >
      <ProgressBar label="Import" value={step.value} />
      <output className="mt-2 block text-ink-2 tabular-nums">{step.text}</output>
    </Dialog>
  )
}

type FailedProps = { fileName: string; why: string; onClose: () => void; onChoose: () => void }

function Failed({ fileName, why, onClose, onChoose }: FailedProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import Contacts"
      description={<span className="wrap-anywhere">{fileName}</span>}
      error={why}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onChoose}>
            Choose another file
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        Howl reads CSV files from spreadsheets and address books, and vCard files. Nothing was changed.
      </p>
    </Dialog>
  )
}
