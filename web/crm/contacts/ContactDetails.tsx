import type { ReactNode } from 'react'
import type { Contact } from '#contract/crm/contacts.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'
import { AddressText } from './AddressText.tsx'
import { lastContactText } from './contact-text.ts'

/** The fields of a contact, with labels. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const timeZone = useTimeZone()
  const day = (instant: string | null) => lastContactText(instant, timeZone)
  return (
    <Card title="Details">
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-y-2">
        <Detail name="Email">
          <a href={`mailto:${contact.email}`} className="text-link">
            <AddressText address={contact.email} />
          </a>
        </Detail>
        <Detail name="Phone">
          {contact.phone === '' ? null : (
            <a href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`} className="text-link">
              {contact.phone}
            </a>
          )}
        </Detail>
        <Detail name="Company">{contact.company}</Detail>
        <Detail name="Position">{contact.position}</Detail>
        <Detail name="Status">{statusWord(contact.status)}</Detail>
        <Detail name="Last contact">{day(contact.last_contact)}</Detail>
        <Detail name="Added">{day(contact.created_at)}</Detail>
      </dl>
    </Card>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === ''
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="wrap-anywhere">{isEmpty ? <span className="text-ink-2">None</span> : children}</dd>
    </>
  )
}
