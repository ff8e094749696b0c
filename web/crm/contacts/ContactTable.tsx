import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Contact } from '#contract/crm/contacts.ts'
import { shownAddress } from '#contract/formats/shown-sender.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { sortableColumn } from '#web/platform/ui/sortable-column.tsx'
import { Cell, type Column, Table, TableRow } from '#web/platform/ui/Table.tsx'
import type { Sort } from './contact-filters.ts'
import { ContactStatus } from './ContactStatus.tsx'
import { lastContactText } from './contact-text.ts'
import { contactPath } from './contact-path.ts'
import { NotesPreview } from './NotesPreview.tsx'
import { TagLine } from './TagChip.tsx'
import type { ContactSelection } from './use-contact-selection.ts'

export type ContactActions = { onEdit: (contact: Contact) => void; onDelete: (contact: Contact) => void }

type ContactTableProps = ContactActions & {
  rows: readonly Contact[]
  loading: boolean
  sort: Sort
  onSort: (sort: Sort) => void
  selection: ContactSelection
}

// The classes of a column apply to its cells too. On narrow screens the less important columns disappear first. Rows
// keep their height: long text is cut and shown in full as a tooltip.
const WIDTHS = {
  select: 'w-10 pr-0!',
  email: 'w-[27%] lg:w-[21%] xl:w-[17.5%]',
  company: 'hidden w-[12%] lg:table-cell xl:w-[9.5%]',
  position: 'hidden w-[12%] lg:table-cell xl:w-[9.5%]',
  phone: 'hidden w-34 xl:table-cell',
  status: 'w-33',
  lastContact: 'w-28',
  actions: 'w-21 pointer-coarse:w-25',
}

/** Contacts as a table, for wide screens. */
export function ContactTable(props: ContactTableProps) {
  const { rows, loading, sort, onSort, selection, onEdit, onDelete } = props
  const sorted = { sort, onSort }
  const ids = rows.map(({ id }) => id)
  const columns: Column[] = [
    { key: 'select', title: <SelectPage ids={ids} selection={selection} />, className: WIDTHS.select },
    sortableColumn({ key: 'name', title: 'Name' }, ['name', '-name'], sorted),
    sortableColumn({ key: 'email', title: 'Email', className: WIDTHS.email }, ['email', '-email'], sorted),
    sortableColumn(
      { key: 'company', title: 'Company', className: WIDTHS.company },
      ['company', '-company'],
      sorted,
    ),
    { key: 'position', title: 'Position', className: WIDTHS.position },
    { key: 'phone', title: 'Phone', className: WIDTHS.phone },
    { key: 'status', title: 'Status', className: WIDTHS.status },
    sortableColumn(
      { key: 'last_contact', title: 'Last Contact', className: WIDTHS.lastContact },
      ['-last_contact', 'last_contact'],
      sorted,
    ),
    { key: 'actions', title: 'Actions', className: WIDTHS.actions },
  ]
  const timeZone = useTimeZone()
  return (
    // The header sticks below the navigation and the work bar; the border of its cells does not stick with it.
    <Table
      label="Contacts"
      columns={columns}
      loading={loading}
      className="table-fixed [&_:is(td,th)]:px-2 [&_td]:py-0 [&_td]:text-sm [&>thead]:top-(--head-height,3.5rem) [&>thead]:shadow-[0_1px_var(--line)]"
    >
      {rows.map((contact) => (
        <TableRow key={contact.id} selected={selection.has(contact.id)}>
          <Cell className={WIDTHS.select}>
            <SelectContact contact={contact} ids={ids} selection={selection} />
          </Cell>
          <Cell className="has-aria-expanded:py-2">
            <div className="flex items-center gap-2">
              <ContactName contact={contact} className="block truncate text-base" />
              <TagLine tags={contact.tags} atMost={1} oneLine />
            </div>
            <NotesPreview notes={contact.notes} oneLine />
          </Cell>
          <Cell className={WIDTHS.email} title={shownAddress(contact.email)}>
            <AddressText address={contact.email} oneLine />
          </Cell>
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
    <Cell className={className} title={text}>
      <span className="block truncate">{text}</span>
    </Cell>
  )
}

/** An address that wraps only after its "@". */
export function AddressText(props: { address: string; oneLine?: boolean; className?: string }) {
  const { oneLine = false, className } = props
  const address = shownAddress(props.address)
  const at = address.lastIndexOf('@')
  if (oneLine) return <span className={cx('block truncate', className)}>{address}</span>
  return (
    <span className={cx('wrap-anywhere', className)}>
      {address.slice(0, at - 1)}
      <span className="whitespace-nowrap">{address.slice(at - 1, at + 1)}</span>
      <wbr />
      {address.slice(at + 1)}
    </span>
  )
}

/** The contact's name as a link to its page. */
export function ContactName({ contact, className }: { contact: Contact; className?: string }) {
  return (
    <Link
      to={contactPath(contact.id)}
      title={contact.name}
      className={cx(
        'w-fit rounded-sm font-medium wrap-anywhere hover:text-accent hover:underline',
        className,
      )}
    >
      {contact.name}
    </Link>
  )
}

/** Selects a contact; with Shift, the range from the last selected one. */
export function SelectContact(props: {
  contact: Contact
  ids: readonly number[]
  selection: ContactSelection
}) {
  const { contact, ids, selection } = props
  return (
    <label className="grid size-6 place-items-center pointer-coarse:size-11">
      <span className="sr-only">Select {contact.name}</span>
      <input
        type="checkbox"
        checked={selection.has(contact.id)}
        onChange={(event) => {
          const isRange = (event.nativeEvent as MouseEvent).shiftKey
          selection.toggle(contact.id, isRange || selection.isAll ? ids : undefined)
        }}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}

/** Selects all contacts of this page, or none of them. */
function SelectPage({ ids, selection }: { ids: readonly number[]; selection: ContactSelection }) {
  const chosen = ids.filter((id) => selection.has(id)).length
  const isWhole = ids.length > 0 && chosen === ids.length
  return (
    <label className="grid size-6 place-items-center pointer-coarse:size-11">
      <span className="sr-only">Select all on this page</span>
      <input
        type="checkbox"
        checked={isWhole}
        disabled={ids.length === 0}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen > 0 && !isWhole
        }}
        onChange={() => selection.set(ids, !isWhole)}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}

/** Edit and delete buttons, labelled with the contact's name. */
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
