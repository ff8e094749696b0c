import { Download, Plus, Upload } from 'lucide-react'
import { type RefObject, Suspense, useRef, useState } from 'react'
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
import { type ContactSelection, useContactSelection } from '../../crm/contacts/use-contact-selection.ts'
import { useContactTotal } from '../../crm/contacts/use-contact-total.ts'
import { useImport } from '#web/crm/contact-imports/use-import.ts'
import { useChosenTemplate } from '#web/outreach/templates/use-chosen-template.ts'
import type { WrittenFrom } from '#web/outreach/runs/written-from.ts'
import { useImportWish } from '../../crm/contacts/use-import-wish.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const BulkDialog = lazyPart(() => import('../../crm/contacts/BulkDialog.tsx'), 'BulkDialog')
const AddToSequence = lazyPart(() => import('#web/outreach/sequences/AddToSequence.tsx'), 'AddToSequence')
const ContactDialog = lazyPart(() => import('../../crm/contacts/ContactDialog.tsx'), 'ContactDialog')
const DeleteContact = lazyPart(() => import('../../crm/contacts/DeleteContact.tsx'), 'DeleteContact')
const ImportDialog = lazyPart(() => import('#web/crm/contact-imports/ImportDialog.tsx'), 'ImportDialog')

const WriteToTheseDialog = lazyPart(
  () => import('#web/outreach/runs/WriteToTheseDialog.tsx'),
  'WriteToTheseDialog',
)

const ChooseReaders = lazyPart(() => import('#web/outreach/templates/ChooseReaders.tsx'), 'ChooseReaders')

type Opened = { action: 'form'; contact: Contact | null } | { action: 'delete'; contact: Contact }

/** The contacts page: search, add, edit, delete, import, export. */
export function ContactsPage() {
  const asked = useContactFilters()
  const { filters, sort, page, pageSize } = asked
  const result = usePage(contacts.list, {
    query: { ...queryOf(filters), sort, page, page_size: pageSize, total: 'rough' },
  })
  const total = useContactTotal(filters, asked, result.data?.total)
  const selection = useContactSelection(filters)
  const bulk = useOpened<BulkAction>()
  const template = useChosenTemplate()
  const writing = useOpened<{ audience: Audience; from: WrittenFrom }>()
  const write = (audience: Audience) => writing.show({ audience, from: template.from })
  const sequence = useOpened<ContactSelection>()
  const { what: opened, turn, show, props } = useOpened<Opened>()
  const add = () => show({ action: 'form', contact: null })
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
        actions={<HeaderButtons onSave={() => saveContacts(filters)} onImport={choose} onAdd={add} />}
      />
      <FileInput ref={file} onFile={start} />
      <DropZone onFile={(dropped) => !props.open && start(dropped)} />
      {template.from.kind !== 'own' ? null : (
        <Suspense fallback={null}>
          <ChooseReaders templateId={template.from.id} onStop={template.forget} />
        </Suspense>
      )}
      <Card flush>
        {isEmpty && !isFiltered ? (
          <FirstSteps onAdd={add} onImport={choose} />
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
              onEdit={(contact) => show({ action: 'form', contact })}
              onDelete={(contact) => show({ action: 'delete', contact })}
            />
          </>
        )}
      </Card>
      {selection.count === 0 ? null : (
        <BulkBar
          selection={selection}
          total={total.isExact ? total.count : null}
          onAction={bulk.show}
          onWrite={() =>
            write(selection.isAll ? { filter: queryOf(filters) } : { contact_ids: [...selection.ids] })
          }
          onExport={() => void saveContacts(selection.isAll ? filters : { ids: selection.ids.join(',') })}
          onSequence={() => sequence.show(selection)}
        />
      )}
      <Suspense fallback={null}>
        {bulk.what === null ? null : (
          <BulkDialog
            key={bulk.turn}
            {...bulk.props}
            action={bulk.what}
            selection={selection}
            onDone={selection.clear}
          />
        )}
        {writing.what === null ? null : (
          <WriteToTheseDialog
            key={`write ${writing.turn}`}
            {...writing.props}
            {...writing.what}
            onStarted={() => {
              selection.clear()
              template.forget()
            }}
          />
        )}
        {sequence.what === null ? null : (
          <AddToSequence
            key={`sequence ${sequence.turn}`}
            {...sequence.props}
            selection={sequence.what}
            onDone={selection.clear}
          />
        )}
        {opened === null ? null : opened.action === 'delete' ? (
          <DeleteContact key={turn} {...props} contact={opened.contact} />
        ) : (
          <ContactDialog key={turn} {...props} contact={opened.contact} />
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
