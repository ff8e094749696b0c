import type { Todo } from '#contract/crm/todos.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { paths } from '#web/platform/paths.ts'

/** The contact or mail of a task, as a title and an address; null if it has neither. */
export function aboutOf({ contact, email }: Pick<Todo, 'contact' | 'email'>): About | null {
  if (email !== null) {
    const query = new URLSearchParams({ folder: email.folder, email: String(email.id) })
    return { kind: 'email', title: email.subject || 'No subject', to: `${paths.emails}?${query.toString()}` }
  }
  if (contact === null) return null
  return { kind: 'contact', title: contact.name, to: contactPath(contact.id) }
}

export type About = { kind: 'contact' | 'email'; title: string; to: string }
export const ABOUT_LABELS = { contact: 'Contact', email: 'Email' } as const
