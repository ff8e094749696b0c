import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { contactImports, type ImportSummary } from '#contract/crm/contact-imports.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { contactsText } from './import-text.ts'
import { SaveRefused } from './SaveRefused.tsx'
import { UndoImport } from './UndoImport.tsx'

/** The imports of the last few days; each can be undone, and its refused rows saved. */
export function RecentImportsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const recent = useEndpoint(contactImports.list)
  const [undoing, setUndoing] = useState<number | null>(null)
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="Recent imports"
        description="An import can be undone for 7 days."
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <ul className="divide-y divide-line rounded-lg border border-line">
          {recent.data?.map((each) => (
            <RecentImport key={each.id} each={each} onUndo={() => setUndoing(each.id)} />
          ))}
        </ul>
      </Dialog>
      {undoing === null ? null : (
        <UndoImport id={undoing} open onClose={() => setUndoing(null)} onUndone={() => setUndoing(null)} />
      )}
    </>
  )
}

function RecentImport({ each, onUndo }: { each: ImportSummary; onUndo: () => void }) {
  const timeZone = useTimeZone()
  const { id, file_name, created, updated, skipped, refused, finished_at, undone_at, has_file } = each
  const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(finished_at ?? 0),
  )
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 grow basis-56">
        <p className="font-medium wrap-anywhere">{file_name}</p>
        <p className="text-sm text-ink-2">
          {when} · {undone_at === null ? `${contactsText(created)} added` : 'Undone'}
          {undone_at === null && updated > 0 ? `, ${updated.toLocaleString('en')} updated` : ''}
          {undone_at === null && skipped > 0 ? `, ${skipped.toLocaleString('en')} skipped` : ''}
        </p>
      </div>
      <div className="flex gap-2">
        {refused > 0 && has_file ? <SaveRefused id={id} fileName={file_name} size="s" /> : null}
        {undone_at === null && created + updated > 0 ? (
          <Button size="s" icon={<Undo2 aria-hidden className="size-4" />} onClick={onUndo}>
            Undo
          </Button>
        ) : null}
      </div>
    </li>
  )
}
