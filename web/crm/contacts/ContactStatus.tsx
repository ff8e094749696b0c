import type { Contact } from '#contract/crm/contacts.ts'
import { StatusBadge, statusWord } from '#web/platform/ui/StatusBadge.tsx'
import { suppressedText } from './contact-text.ts'

/** The contact's status from mails and meetings. Less prominent: the status the user chose, and why no mail is sent. */
export function ContactStatus({ contact }: { contact: Contact }) {
  const quiet = [
    // Every contact is a prospect unless the user says otherwise.
    ...(contact.status === 'prospect' ? [] : [statusWord(contact.status)]),
    ...(contact.suppressed === null ? [] : [suppressedText(contact.suppressed)]),
  ]
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusBadge status={contact.computed_status} />
      {quiet.map((label) => (
        <span key={label} className="text-xs whitespace-nowrap text-ink-2">
          {label}
        </span>
      ))}
    </span>
  )
}
