import { Download, Plus, Upload } from 'lucide-react'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { type Contact, contacts } from '#contract/contacts.ts'
import { download } from '#web/api/download.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { usePage } from '#web/api/queries.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { toast } from '#web/ui/toast.ts'
import { type Filters, queryOf, useContactFilters } from './contact-filters.ts'
import { ContactList } from './ContactList.tsx'
import { DropZone } from './DropZone.tsx'
import { FilterBar } from './FilterBar.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { useImport } from './use-import.ts'

const ContactDialog = lazy(() =>
  import('./ContactDialog.tsx').then((part) => ({ default: part.ContactDialog })),
)
const DeleteContact = lazy(() =>
  import('./DeleteContact.tsx').then((part) => ({ default: part.DeleteContact })),
)
const ImportDialog = lazy(() => import('./ImportDialog.tsx').then((part) => ({ default: part.ImportDialog })))

type Opened = { act: 'add' | 'edit' | 'delete'; contact: Contact | null; isOpen: boolean; turn: number }

/** The user's contacts: find, add, edit, delete, import, export. */
export function ContactsPage() {
  const asked = useContactFilters()
  const { filters, sort, page, pageSize } = asked
  const result = usePage(contacts.list, {
    query: { ...queryOf(filters), sort, page, page_size: pageSize },
  })
  const [opened, setOpened] = useState<Opened>({ act: 'add', contact: null, isOpen: false, turn: 0 })
  const show = (act: Opened['act'], contact: Contact | null) =>
    setOpened({ act, contact, isOpen: true, turn: opened.turn + 1 })
  // It stays while it fades, and gives the focus back.
  const close = () => setOpened({ ...opened, isOpen: false })
  const { importing, told, start, close: closeImport } = useImport()
  const file = useRef<HTMLInputElement>(null)
  const choose = () => file.current?.click()
  const timeZone = useTimeZone()
  const isEmpty = result.data?.total === 0 && !result.isPlaceholderData
  const isFiltered = Object.keys(filters).length > 0

  return (
    <>
      <PageHeader
        title="Contacts"
        note={`Dates are in ${timeZone.replaceAll('_', ' ')}`}
        actions={
          <>
            <ExportButton filters={filters} />
            <Button icon={<Upload aria-hidden className="size-4" />} onClick={choose}>
              Import
            </Button>
            <Button
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => show('add', null)}
            >
              Add Contact
            </Button>
          </>
        }
      />
      <FileInput ref={file} onFile={start} />
      <DropZone onFile={(dropped) => !opened.isOpen && start(dropped)} />
      <Card flush>
        {isEmpty && !isFiltered ? (
          <FirstSteps onAdd={() => show('add', null)} onImport={choose} />
        ) : (
          <>
            <FilterBar filters={filters} onFilter={asked.setFilter} onClear={isEmpty ? null : asked.clear} />
            <ContactList
              result={result}
              asked={asked}
              onEdit={(contact) => show('edit', contact)}
              onDelete={(contact) => show('delete', contact)}
            />
          </>
        )}
      </Card>
      <Suspense fallback={null}>
        {opened.turn === 0 ? null : opened.act === 'delete' && opened.contact !== null ? (
          <DeleteContact key={opened.turn} open={opened.isOpen} onClose={close} contact={opened.contact} />
        ) : (
          <ContactDialog key={opened.turn} open={opened.isOpen} onClose={close} contact={opened.contact} />
        )}
        {importing.state === 'idle' ? null : (
          <ImportDialog importing={importing} told={told} onClose={closeImport} onChoose={choose} />
        )}
      </Suspense>
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
      accept=".csv,text/csv"
      aria-label="CSV file"
      tabIndex={-1}
      className="hidden"
      onChange={(event) => {
        const chosen = event.target.files?.[0]
        // The same file, put right, can be chosen again.
        event.target.value = ''
        if (chosen !== undefined) onFile(chosen)
      }}
    />
  )
}

function ExportButton({ filters }: { filters: Filters }) {
  const timeZone = useTimeZone()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const day = new Date().toLocaleDateString('sv', { timeZone })
      await download(contacts.export, { query: queryOf(filters) }, `contacts-${day}.csv`)
      toast.success('Contacts exported')
    } catch (error) {
      toast.error(sentenceOf(error, 'Failed to export contacts'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<Download aria-hidden className="size-4" />} busy={busy} onClick={() => void save()}>
      Export
    </Button>
  )
}
