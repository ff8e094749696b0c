import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import type { Contact } from '#contract/contacts.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Cell, type Column, Table, TableRow } from '#web/ui/Table.tsx'
import type { Sort } from './contact-filters.ts'
import { ContactStatus } from './ContactStatus.tsx'
import { lastContactText } from './contact-words.ts'
import { NotesPreview } from './NotesPreview.tsx'

export type ContactActions = { onEdit: (contact: Contact) => void; onDelete: (contact: Contact) => void }

type ContactTableProps = ContactActions & {
  rows: readonly Contact[]
  loading: boolean
  sort: Sort
  onSort: (sort: Sort) => void
}

// A column's classes are its cells' as well: the less telling ones give way first. What is too long for its column is
// cut, with the whole of it as its tooltip, so that a row stays one line high.
const WIDTHS = {
  email: 'w-[26%] xl:w-[19%]',
  company: 'hidden w-[11%] lg:table-cell',
  position: 'hidden w-[10%] lg:table-cell',
  phone: 'hidden w-36 xl:table-cell',
  status: 'w-40',
  lastContact: 'w-29',
  actions: 'w-20',
}

/** One row a contact, for screens with room for a table. */
export function ContactTable({ rows, loading, sort, onSort, onEdit, onDelete }: ContactTableProps) {
  const sorted = { sort, onSort }
  const columns: Column[] = [
    sortable('name', 'Name', ['name', '-name'], sorted),
    sortable('email', 'Email', ['email'], sorted, WIDTHS.email),
    sortable('company', 'Company', ['company'], sorted, WIDTHS.company),
    { key: 'position', title: 'Position', className: WIDTHS.position },
    { key: 'phone', title: 'Phone', className: WIDTHS.phone },
    { key: 'status', title: 'Status', className: WIDTHS.status },
    sortable('last_contact', 'Last Contact', ['-last_contact', 'last_contact'], sorted, WIDTHS.lastContact),
    { key: 'actions', title: 'Actions', hideTitle: true, className: WIDTHS.actions },
  ]
  const timeZone = useTimeZone()
  return (
    // The head stays below the navigation and its bar of work; the line of its cells does not stay with it.
    <Table
      label="Contacts"
      columns={columns}
      loading={loading}
      className="table-fixed [&>thead]:top-(--head-height,3.5rem) [&>thead]:shadow-[0_1px_var(--line)]"
    >
      {rows.map((contact) => (
        <TableRow key={contact.id}>
          <Cell>
            <p className="line-clamp-2 font-medium wrap-anywhere" title={contact.name}>
              {contact.name}
            </p>
            <NotesPreview notes={contact.notes} />
          </Cell>
          <TextCell text={contact.email} className={WIDTHS.email} />
          <TextCell text={contact.company} className={WIDTHS.company} />
          <TextCell text={contact.position} className={WIDTHS.position} />
          <TextCell text={contact.phone} className={WIDTHS.phone} />
          <Cell>
            <ContactStatus contact={contact} />
          </Cell>
          <Cell className="whitespace-nowrap text-ink-2">
            {lastContactText(contact.last_contact, timeZone)}
          </Cell>
          <Cell className={`whitespace-nowrap ${WIDTHS.actions}`}>
            <RowActions contact={contact} onEdit={onEdit} onDelete={onDelete} />
          </Cell>
        </TableRow>
      ))}
    </Table>
  )
}

function TextCell({ text, className }: { text: string; className: string }) {
  return (
    <Cell className={cx('truncate', className)} title={text}>
      {text}
    </Cell>
  )
}

/** Edit and delete, named by the contact. */
export function RowActions({ contact, onEdit, onDelete }: ContactActions & { contact: Contact }) {
  return (
    <>
      <IconButton label={`Edit ${contact.name}`} size="s" icon={<Pencil />} onClick={() => onEdit(contact)} />
      <IconButton
        label={`Delete ${contact.name}`}
        size="s"
        icon={<Trash2 />}
        danger
        onClick={() => onDelete(contact)}
      />
    </>
  )
}

type Sorted = { sort: Sort; onSort: (sort: Sort) => void }

// Each press goes one step on through `sorts`, and at last back to newest first.
function sortable(
  key: string,
  title: string,
  sorts: readonly Sort[],
  { sort, onSort }: Sorted,
  className?: string,
): Column {
  const now = sorts.indexOf(sort)
  const isDown = sort.startsWith('-')
  return {
    key,
    ...(className === undefined ? {} : { className }),
    sort: now < 0 ? 'none' : isDown ? 'descending' : 'ascending',
    title: (
      <button
        type="button"
        onClick={() => onSort(sorts[now + 1] ?? 'newest')}
        className="-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink"
      >
        {title}
        {now < 0 ? null : isDown ? (
          <ArrowDown aria-hidden className="size-3.5" />
        ) : (
          <ArrowUp aria-hidden className="size-3.5" />
        )}
      </button>
    ),
  }
}
