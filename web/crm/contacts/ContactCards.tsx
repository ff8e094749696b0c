import type { Contact } from '#contract/crm/contacts.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { ContactStatus } from './ContactStatus.tsx'
import { AddressText, type ContactActions, ContactName, RowActions, SelectContact } from './ContactTable.tsx'
import { lastContactText } from './contact-text.ts'
import { NotesPreview } from './NotesPreview.tsx'
import { TagLine } from './TagChip.tsx'
import type { ContactSelection } from './use-contact-selection.ts'

type ContactCardsProps = ContactActions & {
  rows: readonly Contact[]
  loading: boolean
  selection: ContactSelection
}

/** The contacts as cards, for phones. */
export function ContactCards({ rows, loading, selection, onEdit, onDelete }: ContactCardsProps) {
  const ids = rows.map(({ id }) => id)
  const timeZone = useTimeZone()
  if (loading) return <SkeletonCards />
  return (
    <ul aria-label="Contacts" className="border-t border-line">
      {rows.map((contact) => (
        <li
          key={contact.id}
          className={cx(
            'flex gap-2 border-b border-line py-3 pr-1 pl-1 last:border-0',
            selection.has(contact.id) && 'bg-accent-soft',
          )}
        >
          <div className="shrink-0 pointer-coarse:-mt-2.5">
            <SelectContact contact={contact} ids={ids} selection={selection} />
          </div>
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <p>
              <ContactName contact={contact} />
            </p>
            <AddressText address={contact.email} className="text-sm text-ink-2" />
            <Line parts={[contact.position, contact.company]} />
            <Line parts={[contact.phone]} />
            <NotesPreview notes={contact.notes} />
            <TagLine tags={contact.tags} atMost={5} />
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
              <ContactStatus contact={contact} />
              <span>Last contact: {lastContactText(contact.last_contact, timeZone)}</span>
            </p>
          </div>
          <div className="flex shrink-0 flex-col">
            <RowActions contact={contact} onEdit={onEdit} onDelete={onDelete} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Line({ parts }: { parts: readonly string[] }) {
  const text = parts.filter((part) => part !== '').join(' · ')
  return text === '' ? null : <p className="text-sm wrap-anywhere">{text}</p>
}

function SkeletonCards() {
  return (
    <div aria-busy className="border-t border-line">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 border-b border-line px-3 py-4 last:border-0">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-5 w-24" />
        </div>
      ))}
    </div>
  )
}
