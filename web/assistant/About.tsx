import { Link } from 'react-router'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import type { Subject } from './chat-store.ts'

/** Whom a conversation is about, with the way to their page. */
export function About({ subject: { name, email, contactId } }: { subject: Subject }) {
  const who = name || email
  if (contactId === null) return `About ${who}`
  return (
    <>
      About{' '}
      <Link to={contactPath(contactId)} className="text-link">
        {who}
      </Link>
    </>
  )
}
