import { useState } from 'react'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { StatusBadge } from '#web/platform/ui/StatusBadge.tsx'
import { Detail } from './Detail.tsx'

const people = [
  { name: 'Mara Lindqvist', company: 'Nordlys Café', status: 'replied', last: 'Today' },
  { name: 'Tom Okafor', company: 'Okafor Joinery', status: 'follow_up_1', last: '3 days ago' },
  { name: 'Inès Moreau', company: 'Atelier Moreau', status: 'interested', last: 'Yesterday' },
  { name: 'Ravi Patel', company: 'Patel & Sons', status: 'meeting_scheduled', last: 'Yesterday' },
  { name: 'Lena Brandt', company: 'Brandt Keramik', status: 'new', last: 'Never' },
]

export function ContactsDetail({ className }: { className?: string }) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = people.filter(({ name, company }) => `${name} ${company}`.toLowerCase().includes(wanted))
  return (
    <Detail
      title="Smart contact management"
      text="Import a spreadsheet. From then on, every contact’s status follows what really happened in your mail."
      {...(className ? { className } : {})}
    >
      <SearchInput
        aria-label="Search the example contacts"
        placeholder="Try “café” or “patel”"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className="mt-2 min-h-61">
        {found.map(({ name, company, status, last }) => (
          <li key={name} className="flex h-12 items-center gap-3 border-b border-line last:border-0">
            <Avatar name={name} size="s" />
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">{name}</span> <span className="text-ink-2">{company}</span>
            </span>
            <span className="text-sm text-ink-2 max-sm:hidden">{last}</span>
            <StatusBadge status={status} />
          </li>
        ))}
        {found.length === 0 ? <li className="py-3 text-ink-2">No contacts found</li> : null}
      </ul>
    </Detail>
  )
}
