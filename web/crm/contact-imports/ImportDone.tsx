import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { IMPORT_KEPT_DAYS } from '#contract/crm/contact-imports.ts'
import type { ImportResult } from '#contract/crm/contacts.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { ImportFigures } from './ImportFigures.tsx'
import { RefusedRows } from './RefusedRows.tsx'
import { SaveRefused } from './SaveRefused.tsx'
import { UndoImport } from './UndoImport.tsx'

type ImportDoneProps = { id: number; fileName: string; result: ImportResult; onClose: () => void }

/** The result of an import, with the refused rows as a file and a way to undo it. */
export function ImportDone({ id, fileName, result, onClose }: ImportDoneProps) {
  const [isUndoing, setUndoing] = useState(false)
  const { created, updated, skipped, refused } = result
  const didAnything = created + updated > 0
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        title="Import finished"
        description={<span className="wrap-anywhere">{fileName}</span>}
        size={refused.length > 0 ? 'l' : 'm'}
        footer={
          <>
            {didAnything ? (
              <Button
                variant="plain"
                className="mr-auto"
                icon={<Undo2 aria-hidden className="size-4" />}
                onClick={() => setUndoing(true)}
              >
                Undo import
              </Button>
            ) : null}
            {refused.length > 0 ? <SaveRefused id={id} fileName={fileName} /> : null}
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <ImportFigures figures={{ Imported: created, Updated: updated, Skipped: skipped }} />
        {refused.length > 0 ? (
          <div className="mt-4">
            <RefusedRows rows={refused} total={Math.max(refused.length, skipped)} />
          </div>
        ) : null}
        {didAnything ? (
          <p className="mt-3 text-sm text-ink-2">
            You can undo this for {IMPORT_KEPT_DAYS} days, under Recent imports.
          </p>
        ) : null}
      </Dialog>
      <UndoImport id={id} open={isUndoing} onClose={() => setUndoing(false)} onUndone={onClose} />
    </>
  )
}
