import { useState } from 'react'
import { Link } from 'react-router'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { paths } from '#web/platform/paths.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { statusWord, StatusBadge } from '#web/platform/ui/StatusBadge.tsx'
import { Panel } from './Panel.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'

const SHOWN = 20

const STATUSES = ['all', 'new', 'sent', 'replied', 'interested', 'meeting_scheduled'] as const
type Status = (typeof STATUSES)[number]
const filters = STATUSES.map((value) => ({
  value,
  label: value === 'all' ? 'All statuses' : statusWord(value),
}))

/** The contacts added last. */
export function RecentContacts() {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<Status>('all')
  const { data, error, refetch } = usePage(contacts.list, {
    query: { search: useSettled(search), status, sort: 'newest', page_size: SHOWN, total: 'rough' },
  })
  const rows = data?.rows
  return (
    <Panel
      title="Recent Contacts"
      noun="contacts"
      search={search}
      onSearch={setSearch}
      filter={status}
      onFilter={setStatus}
      filters={filters}
      onRefresh={refetch}
      state={
        error !== null ? 'failed' : rows === undefined ? 'loading' : rows.length === 0 ? 'empty' : 'filled'
      }
      hint="Contacts you add or import will show up here."
      action={
        <Link to={paths.contacts} className={buttonClass('quiet', 's')}>
          Go to contacts
        </Link>
      }
    >
      {rows?.map((contact) => (
        <ContactRow key={contact.id} contact={contact} />
      ))}
    </Panel>
  )
}

function ContactRow({ contact }: { contact: Contact }) {
  const { id, name, email, company, computed_status } = contact
  return (
    <li>
      <Link
        to={contactPath(id)}
        className="flex min-h-15 items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken/60 focus-visible:-outline-offset-2"
      >
        <Avatar name={name} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-ink-2">
            {[email, company].filter((part) => part !== '').join(' · ')}
          </span>
        </span>
        <StatusBadge status={computed_status} />
      </Link>
    </li>
  )
}
