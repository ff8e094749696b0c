import type { UseQueryResult } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Contact, contacts } from '#contract/crm/contacts.ts'
import { shownAddress } from '#contract/formats/shown-sender.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import type { PageOf } from '#web/platform/api/call.ts'
import { PAGE_SIZES } from '#web/platform/list-query.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { SelectBox } from '#web/platform/ui/SelectBox.tsx'
import type { Column } from '#web/platform/ui/Table.tsx'
import { AddressText } from './AddressText.tsx'
import type { Sort, useContactFilters } from './contact-filters.ts'
import { contactPath } from './contact-path.ts'
import { ContactStatus } from './ContactStatus.tsx'
import { lastContactText } from './contact-text.ts'
import { NotesPreview } from './NotesPreview.tsx'
import { TagLine } from './TagChip.tsx'
import type { ContactSelection } from './use-contact-selection.ts'
import type { ContactTotal } from './use-contact-total.ts'

type ContactListProps = {
  result: UseQueryResult<PageOf<typeof contacts.list>>
  asked: ReturnType<typeof useContactFilters>
  selection: ContactSelection
  total: ContactTotal
  onEdit: (contact: Contact) => void
  onDelete: (contact: Contact) => void
}

/** One page of contacts, or why there are none. */
export function ContactList({ result, asked, selection, total, onEdit, onDelete }: ContactListProps) {
  const timeZone = useTimeZone()
  const rows = result.data?.rows
  const ids = rows?.map(({ id }) => id) ?? []
  return (
    <List
      label="Contacts"
      query={result}
      failed="Failed to load contacts"
      rows={rows}
      keyOf={({ id }) => id}
      isSelected={({ id }) => selection.has(id)}
      sorted={{ sort: asked.sort, onSort: asked.setSort }}
      // The header sticks below the navigation and the work bar; the border of its cells does not stick with it. Rows
      // keep their height: long text is cut and shown in full as a tooltip. On narrow screens the less important
      // columns disappear first.
      className="table-fixed [&_:is(td,th)]:px-2 [&_td]:py-0 [&_td]:text-sm [&>thead]:top-(--head-height,3.5rem) [&>thead]:shadow-[0_1px_var(--line)]"
      columns={{
        select: {
          title: <SelectPage ids={ids} selection={selection} />,
          className: 'w-10 pr-0!',
          render: (contact) => <SelectContact contact={contact} ids={ids} selection={selection} />,
        },
        name: {
          title: 'Name',
          sorts: ['name', '-name'],
          cellClass: 'has-aria-expanded:py-2',
          render: (contact) => (
            <>
              <div className="flex items-center gap-2">
                <ContactName contact={contact} className="block truncate text-base" />
                <TagLine tags={contact.tags} atMost={1} oneLine />
              </div>
              <NotesPreview notes={contact.notes} oneLine />
            </>
          ),
        },
        email: {
          ...textColumn('Email', 'w-[27%] lg:w-[21%] xl:w-[17.5%]', ({ email }) => shownAddress(email)),
          sorts: ['email', '-email'],
        },
        company: {
          ...textColumn('Company', 'hidden w-[12%] lg:table-cell xl:w-[9.5%]', ({ company }) => company),
          sorts: ['company', '-company'],
        },
        position: textColumn(
          'Position',
          'hidden w-[12%] lg:table-cell xl:w-[9.5%]',
          ({ position }) => position,
        ),
        phone: textColumn('Phone', 'hidden w-34 xl:table-cell', ({ phone }) => phone),
        status: {
          title: 'Status',
          className: 'w-33',
          render: (contact) => <ContactStatus contact={contact} />,
        },
        last: {
          title: 'Last Contact',
          sorts: ['-last_contact', 'last_contact'],
          className: 'w-28',
          cellClass: 'whitespace-nowrap text-ink-2',
          render: (contact) => lastContactText(contact.last_contact, timeZone),
        },
        actions: {
          title: 'Actions',
          className: 'w-21 whitespace-nowrap pointer-coarse:w-25',
          render: (contact) => (
            <>
              <IconButton
                label={`Edit ${contact.name}`}
                size="s"
                icon={<Pencil />}
                onClick={() => onEdit(contact)}
              />
              <IconButton
                label={`Delete ${contact.name}`}
                size="s"
                icon={<Trash2 />}
                danger
                onClick={() => onDelete(contact)}
              />
            </>
          ),
        },
      }}
      cardClass="gap-2 py-3 pr-1 pl-1"
      renderCard={(contact, cells) => (
        <>
          <div className="shrink-0 pointer-coarse:-mt-2.5">{cells.select}</div>
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <p>
              <ContactName contact={contact} />
            </p>
            <p className="text-sm text-ink-2">
              <AddressText address={contact.email} />
            </p>
            <Line parts={[contact.position, contact.company]} />
            <Line parts={[contact.phone]} />
            <NotesPreview notes={contact.notes} />
            <TagLine tags={contact.tags} atMost={5} />
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
              {cells.status}
              <span>Last contact: {cells.last}</span>
            </p>
          </div>
          <div className="flex shrink-0 flex-col">{cells.actions}</div>
        </>
      )}
      empty={
        total.count > 0 ? undefined : (
          <EmptyState title="No contacts match" action={<Button onClick={asked.clear}>Clear filters</Button>}>
            Try fewer filters or different words.
          </EmptyState>
        )
      }
      pages={{
        page: asked.page,
        pageSize: asked.pageSize,
        total: total.count,
        atLeast: !total.isExact,
        noun: 'contacts',
        sizes: PAGE_SIZES,
        onPage: asked.setPage,
        onPageSize: asked.setPageSize,
      }}
    />
  )
}

function textColumn(title: string, className: string, textOf: (contact: Contact) => string) {
  return {
    title,
    className,
    tooltip: textOf,
    render: (contact) => <span className="block truncate">{textOf(contact)}</span>,
  } satisfies Column<Contact, Sort>
}

/** The contact's name as a link to its page. */
function ContactName({ contact, className }: { contact: Contact; className?: string }) {
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

function Line({ parts }: { parts: readonly string[] }) {
  const text = parts.filter((part) => part !== '').join(' · ')
  return text === '' ? null : <p className="text-sm wrap-anywhere">{text}</p>
}

type SelectPageProps = { ids: readonly number[]; selection: ContactSelection }

/** Selects a contact; with Shift, the range from the last selected one. */
function SelectContact({ contact, ids, selection }: SelectPageProps & { contact: Contact }) {
  return (
    <SelectBox
      label={`Select ${contact.name}`}
      checked={selection.has(contact.id)}
      onChange={(_, isRange) => selection.toggle(contact.id, isRange || selection.isAll ? ids : undefined)}
    />
  )
}

/** Selects all contacts of this page, or none of them. */
function SelectPage({ ids, selection }: SelectPageProps) {
  const chosen = ids.filter((id) => selection.has(id)).length
  const isWhole = ids.length > 0 && chosen === ids.length
  return (
    <SelectBox
      label="Select all on this page"
      checked={isWhole}
      isPartial={chosen > 0 && !isWhole}
      disabled={ids.length === 0}
      onChange={() => selection.set(ids, !isWhole)}
    />
  )
}
