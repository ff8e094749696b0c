import type { Contact } from '#contract/contacts.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ContactStatus } from './ContactStatus.tsx'
import { type ContactActions, RowActions } from './ContactTable.tsx'
import { lastContactText } from './contact-words.ts'
import { NotesPreview } from './NotesPreview.tsx'

/** The same contacts as a list of cards, for phones. */
export function ContactCards(props: ContactActions & { rows: readonly Contact[]; loading: boolean }) {
  const { rows, loading, onEdit, onDelete } = props
  const timeZone = useTimeZone()
  if (loading) return <SkeletonCards />
  return (
    <ul aria-label="Contacts" className="border-t border-line">
      {rows.map((contact) => (
        <li key={contact.id} className="flex gap-2 border-b border-line py-3 pr-1 pl-3 last:border-0">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <p className="font-medium wrap-anywhere">{contact.name}</p>
            <p className="text-sm wrap-anywhere text-ink-2">{contact.email}</p>
            <Line parts={[contact.position, contact.company]} />
            <Line parts={[contact.phone]} />
            <NotesPreview notes={contact.notes} />
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
