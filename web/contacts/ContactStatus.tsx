import type { Contact } from '#contract/contacts.ts'
import { StatusBadge, statusWord } from '#web/ui/StatusBadge.tsx'
import { suppressedText } from './contact-text.ts'

/** What mails and meetings tell of a contact; quietly, what the user says of it and what stops mails to it. */
export function ContactStatus({ contact }: { contact: Contact }) {
  const quiet = [
    // Prospect is what every contact is until somebody says otherwise.
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
