import { ArrowLeft, CalendarPlus, ListPlus, Mail, MessageSquareText, Pencil, Trash2 } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { shownAddress } from '#contract/formats/shown-sender.ts'
import { askWolfyAbout } from '#web/platform/ask-wolfy.ts'
import { useWriting } from '#web/mail/compose/use-writing.tsx'
import { paths } from '#web/platform/paths.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { DetailPage } from '#web/platform/ui/DetailPage.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { AutomaticMail } from '../../outreach/automatic-mail/AutomaticMail.tsx'
import { ContactDetails } from '../../crm/contacts/ContactDetails.tsx'
import { ContactNotes } from '../../crm/contacts/ContactNotes.tsx'
import { ContactStatus } from '../../crm/contacts/ContactStatus.tsx'
import { ContactTags } from '../../crm/contacts/ContactTags.tsx'
import { Suppressed } from '../../crm/contacts/Suppressed.tsx'
import { Timeline } from '../timeline/Timeline.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const ContactDialog = lazyPart(() => import('../../crm/contacts/ContactDialog.tsx'), 'ContactDialog')
const ContactSequences = lazyPart(
  () => import('#web/outreach/sequences/ContactSequences.tsx'),
  'ContactSequences',
)
const DeleteContact = lazyPart(() => import('../../crm/contacts/DeleteContact.tsx'), 'DeleteContact')
const TodoDialog = lazyPart(() => import('#web/crm/todos/TodoDialog.tsx'), 'TodoDialog')

/** The page of one contact: details and timeline. */
export function ContactPage() {
  return (
    <DetailPage
      endpoint={contacts.get}
      failed="Failed to load contacts"
      missing={<Missing />}
      waiting={<Loading />}
    >
      {(contact) => <WholeContact key={contact.id} contact={contact} />}
    </DetailPage>
  )
}

function WholeContact({ contact }: { contact: Contact }) {
  useDocumentTitle(contact.name)
  const navigate = useNavigate()
  const writing = useWriting(() => void navigate(`${paths.emails}?folder=scheduled`))
  const { what: opened, turn: key, show, props } = useOpened<'edit' | 'delete' | 'task'>()
  return (
    <>
      <BackLink />
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pt-2 pb-5">
        <div className="flex min-w-0 grow basis-72 items-start gap-4">
          <Avatar name={contact.name} size="l" className="max-sm:size-12 max-sm:text-base" />
          <div className="flex min-w-0 flex-col gap-1.5">
            <div>
              <h1 className="font-display text-xl font-medium tracking-tight wrap-anywhere">
                {contact.name}
              </h1>
              <p className="wrap-anywhere text-ink-2">
                {[contact.position, contact.company].filter((part) => part !== '').join(' · ') ||
                  shownAddress(contact.email)}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <ContactStatus contact={{ ...contact, suppressed: null }} />
              <ContactTags contact={contact} />
            </div>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            icon={<Mail aria-hidden className="size-4" />}
            onClick={() => writing.start({ kind: 'new', to: contact.email })}
          >
            Write Email
          </Button>
          <Button icon={<ListPlus aria-hidden className="size-4" />} onClick={() => show('task')}>
            Add Task
          </Button>
          <Link
            to={`${paths.meetings}?${new URLSearchParams({ attendee: contact.email }).toString()}`}
            className={buttonClass()}
          >
            <CalendarPlus aria-hidden className="size-4" />
            Schedule Meeting
          </Link>
          <IconButton
            label={`Ask Wolfy about ${contact.name}`}
            icon={<MessageSquareText />}
            onClick={() => void askAbout(contact)}
          />
          <IconButton label={`Edit ${contact.name}`} icon={<Pencil />} onClick={() => show('edit')} />
          <IconButton
            label={`Delete ${contact.name}`}
            icon={<Trash2 />}
            danger
            onClick={() => show('delete')}
          />
        </div>
      </header>
      {contact.suppressed === null ? null : <Suppressed contact={contact} reason={contact.suppressed} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4 lg:order-last">
          <ContactDetails contact={contact} />
          <AutomaticMail id={contact.id} name={contact.name} />
          <ContactNotes contact={contact} />
          <Suspense fallback={null}>
            <ContactSequences contact={contact} />
          </Suspense>
        </div>
        <Timeline contact={contact} />
      </div>
      {writing.dialog}
      <Suspense fallback={null}>
        {opened === null ? null : opened === 'edit' ? (
          <ContactDialog key={key} {...props} contact={contact} />
        ) : opened === 'delete' ? (
          <DeleteContact
            key={key}
            {...props}
            contact={contact}
            onDeleted={() => void navigate(paths.contacts, { replace: true })}
          />
        ) : (
          <TodoDialog
            key={key}
            {...props}
            todo={null}
            start={{ title: '', contact: { id: contact.id, name: contact.name }, email: null }}
          />
        )}
      </Suspense>
    </>
  )
}

function BackLink() {
  return (
    <Link
      to={paths.contacts}
      className="inline-flex items-center gap-1 rounded-sm text-sm text-ink-2 hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-3.5" />
      Contacts
    </Link>
  )
}

function Missing() {
  useDocumentTitle('Contact')
  return (
    <Card>
      <div className="flex flex-col items-center gap-3 py-12 text-center">
        <h1 className="text-md font-medium">This contact does not exist.</h1>
        <Link to={paths.contacts} className={buttonClass()}>
          Back to Contacts
        </Link>
      </div>
    </Card>
  )
}

function Loading() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <div className="flex items-center gap-4 pt-7">
        <Skeleton className="size-16 rounded-full" />
        <div className="flex flex-col gap-2">
          <Skeleton className="h-7 w-52" />
          <Skeleton className="h-4 w-36" />
        </div>
      </div>
      <Skeleton className="h-80 w-full rounded-lg" />
    </div>
  )
}

async function askAbout({ id, name, email }: { id: number; name: string; email: string }): Promise<void> {
  try {
    await askWolfyAbout({ contactId: id, name, email })
  } catch {
    toast.error('Wolfy could not be loaded. Please try again.')
  }
}
