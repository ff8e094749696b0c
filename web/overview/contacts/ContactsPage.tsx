import { Download, Plus, Upload } from 'lucide-react'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { type Audience, type Contact, contacts } from '#contract/crm/contacts.ts'
import { download } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { BulkBar } from '../../crm/contacts/BulkBar.tsx'
import type { BulkAction } from '../../crm/contacts/BulkDialog.tsx'
import { type Filters, queryOf, useContactFilters } from '../../crm/contacts/contact-filters.ts'
import { ContactList } from '../../crm/contacts/ContactList.tsx'
import { DropZone } from '#web/crm/contact-imports/DropZone.tsx'
import { FilterBar } from '../../crm/contacts/FilterBar.tsx'
import { FirstSteps } from '../../crm/contacts/FirstSteps.tsx'
import { RecentImports } from '#web/crm/contact-imports/RecentImports.tsx'
import { useContactSelection } from '../../crm/contacts/use-contact-selection.ts'
import { useContactTotal } from '../../crm/contacts/use-contact-total.ts'
import { useImport } from '#web/crm/contact-imports/use-import.ts'
import { useChosenTemplate } from '#web/outreach/templates/use-chosen-template.ts'
import type { WrittenFrom } from '#web/outreach/runs/written-from.ts'
import { useImportWish } from '../../crm/contacts/use-import-wish.ts'

const BulkDialog = lazy(() =>
  import('../../crm/contacts/BulkDialog.tsx').then((part) => ({ default: part.BulkDialog })),
)
const AddToSequence = lazy(() =>
  import('#web/outreach/sequences/AddToSequence.tsx').then((part) => ({ default: part.AddToSequence })),
)
const ContactDialog = lazy(() =>
  import('../../crm/contacts/ContactDialog.tsx').then((part) => ({ default: part.ContactDialog })),
)
const DeleteContact = lazy(() =>
  import('../../crm/contacts/DeleteContact.tsx').then((part) => ({ default: part.DeleteContact })),
)
const ImportDialog = lazy(() =>
  import('#web/crm/contact-imports/ImportDialog.tsx').then((part) => ({ default: part.ImportDialog })),
)

const WriteToTheseDialog = lazy(() =>
  import('#web/outreach/runs/WriteToTheseDialog.tsx').then((part) => ({ default: part.WriteToTheseDialog })),
)

const ChooseReaders = lazy(() =>
  import('#web/outreach/templates/ChooseReaders.tsx').then((part) => ({ default: part.ChooseReaders })),
)

type Writing = { audience: Audience; from: WrittenFrom; isOpen: boolean; turn: number }
type Opened = { action: 'add' | 'edit' | 'delete'; contact: Contact | null; isOpen: boolean; turn: number }

/** The contacts page: search, add, edit, delete, import, export. */
export function ContactsPage() {
  const asked = useContactFilters()
  const { filters, sort, page, pageSize } = asked
  const result = usePage(contacts.list, {
    query: { ...queryOf(filters), sort, page, page_size: pageSize, total: 'rough' },
  })
  const total = useContactTotal(filters, asked, result.data?.total)
  const selection = useContactSelection(filters)
  const [bulk, setBulk] = useState<{ action: BulkAction; isOpen: boolean; turn: number } | null>(null)
  const template = useChosenTemplate()
  const [writing, setWriting] = useState<Writing | null>(null)
  const write = (audience: Audience) =>
    setWriting({ audience, from: template.from, isOpen: true, turn: (writing?.turn ?? 0) + 1 })
  const [sequence, setSequence] = useState({ isOpen: false, turn: 0 })
  const [opened, setOpened] = useState<Opened>({ action: 'add', contact: null, isOpen: false, turn: 0 })
  const show = (action: Opened['action'], contact: Contact | null) =>
    setOpened({ action, contact, isOpen: true, turn: opened.turn + 1 })
  // The dialog stays mounted while it fades out, and returns the focus.
  const close = () => setOpened({ ...opened, isOpen: false })
  const { importing, told, start, run, close: closeImport } = useImport()
  const file = useRef<HTMLInputElement>(null)
  const choose = () => file.current?.click()
  useImportWish(choose)
  const timeZone = useTimeZone()
  const saveContacts = (which: Filters) => exportContacts(which, timeZone)
  const isEmpty = result.data?.total === 0 && !result.isPlaceholderData
  const isFiltered = Object.keys(filters).length > 0

  return (
    <>
      <PageHeader
        title="Contacts"
        note={
          <>
            Dates are in {timeZone.replaceAll('_', ' ')}
            <RecentImports />
          </>
        }
        actions={
          <HeaderButtons
            onSave={() => saveContacts(filters)}
            onImport={choose}
            onAdd={() => show('add', null)}
          />
        }
      />
      <FileInput ref={file} onFile={start} />
      <DropZone onFile={(dropped) => !opened.isOpen && start(dropped)} />
      {template.from.kind !== 'own' ? null : (
        <Suspense fallback={null}>
          <ChooseReaders templateId={template.from.id} onStop={template.forget} />
        </Suspense>
      )}
      <Card flush>
        {isEmpty && !isFiltered ? (
          <FirstSteps onAdd={() => show('add', null)} onImport={choose} />
        ) : (
          <>
            <FilterBar
              filters={filters}
              onFilter={asked.setFilter}
              onClear={isEmpty ? null : asked.clear}
              onWrite={isEmpty || selection.count > 0 ? null : () => write({ filter: queryOf(filters) })}
            />
            <ContactList
              result={result}
              asked={asked}
              selection={selection}
              total={total}
              onEdit={(contact) => show('edit', contact)}
              onDelete={(contact) => show('delete', contact)}
            />
          </>
        )}
      </Card>
      {selection.count === 0 ? null : (
        <BulkBar
          selection={selection}
          total={total.isExact ? total.count : null}
          onAction={(action) => setBulk({ action, isOpen: true, turn: (bulk?.turn ?? 0) + 1 })}
          onWrite={() =>
            write(selection.isAll ? { filter: queryOf(filters) } : { contact_ids: [...selection.ids] })
          }
          onExport={() => void saveContacts(selection.isAll ? filters : { ids: selection.ids.join(',') })}
          onSequence={() => setSequence({ isOpen: true, turn: sequence.turn + 1 })}
        />
      )}
      <Suspense fallback={null}>
        {bulk === null ? null : (
          <BulkDialog
            key={bulk.turn}
            action={bulk.action}
            open={bulk.isOpen}
            onClose={() => setBulk({ ...bulk, isOpen: false })}
            selection={selection}
            onDone={selection.clear}
          />
        )}
        {writing === null ? null : (
          <WriteToTheseDialog
            key={`write ${writing.turn}`}
            audience={writing.audience}
            from={writing.from}
            open={writing.isOpen}
            onClose={() => setWriting({ ...writing, isOpen: false })}
            onStarted={() => {
              selection.clear()
              template.forget()
            }}
          />
        )}
        {sequence.turn === 0 ? null : (
          <AddToSequence
            key={`sequence ${sequence.turn}`}
            open={sequence.isOpen}
            onClose={() => setSequence({ ...sequence, isOpen: false })}
            selection={selection}
            onDone={selection.clear}
          />
        )}
        {opened.turn === 0 ? null : opened.action === 'delete' && opened.contact !== null ? (
          <DeleteContact key={opened.turn} open={opened.isOpen} onClose={close} contact={opened.contact} />
        ) : (
          <ContactDialog key={opened.turn} open={opened.isOpen} onClose={close} contact={opened.contact} />
        )}
        {importing.state === 'idle' ? null : (
          <ImportDialog
            importing={importing}
            told={told}
            onImport={run}
            onClose={closeImport}
            onChoose={choose}
          />
        )}
      </Suspense>
    </>
  )
}

async function exportContacts(which: Filters, timeZone: string): Promise<void> {
  try {
    const day = new Date().toLocaleDateString('sv', { timeZone })
    await download(contacts.export, { query: queryOf(which) }, `contacts-${day}.csv`)
    toast.success('Contacts exported')
  } catch (error) {
    toast.error(sentenceOf(error, 'Failed to export contacts'))
  }
}

type HeaderButtonsProps = { onSave: () => Promise<void>; onImport: () => void; onAdd: () => void }

function HeaderButtons({ onSave, onImport, onAdd }: HeaderButtonsProps) {
  return (
    <>
      <ExportButton onSave={onSave} />
      <Button icon={<Upload aria-hidden className="size-4" />} onClick={onImport}>
        Import
      </Button>
      <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={onAdd}>
        Add Contact
      </Button>
    </>
  )
}

function FileInput({
  ref,
  onFile,
}: {
  ref: RefObject<HTMLInputElement | null>
  onFile: (file: File) => void
}) {
  return (
    <input
      ref={ref}
      type="file"
      accept=".csv,.vcf,text/csv,text/vcard"
      aria-label="CSV or vCard file"
      tabIndex={-1}
      className="hidden"
      onChange={(event) => {
        const chosen = event.target.files?.[0]
        // Lets the user choose the same file again after correcting it.
        event.target.value = ''
        if (chosen !== undefined) onFile(chosen)
      }}
    />
  )
}

function ExportButton({ onSave }: { onSave: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await onSave()
    setBusy(false)
  }
  return (
    <Button icon={<Download aria-hidden className="size-4" />} busy={busy} onClick={() => void save()}>
      Export
    </Button>
  )
}
