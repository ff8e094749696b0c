import type { Todo } from '#contract/todos.ts'
import { contactPath } from '#web/contacts/contact-path.ts'
import { paths } from '#web/paths.ts'

/** What a task is about, in words and as an address; null for one that stands for itself. */
export function aboutOf({ contact, email }: Pick<Todo, 'contact' | 'email'>): About | null {
  if (email !== null) {
    const query = new URLSearchParams({ folder: email.folder, email: String(email.id) })
    return { kind: 'email', words: email.subject || 'No subject', to: `${paths.emails}?${query.toString()}` }
  }
  if (contact === null) return null
  return { kind: 'contact', words: contact.name, to: contactPath(contact.id) }
}

export type About = { kind: 'contact' | 'email'; words: string; to: string }
export const ABOUT_WORDS = { contact: 'Contact', email: 'Email' } as const
