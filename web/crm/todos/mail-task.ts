import type { Email } from '#contract/mail/email.ts'
import { TODO_TITLE_MAX } from '#contract/crm/todos.ts'

// Any number of prefixes such as "Re:" or "Fwd: AW:".
const PREFIXES = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw)(?:\[\d+\])?\s*:)+/i

/** The suggested title of a task about a mail: the subject without "Re:" and similar prefixes. */
export function taskTitle(mail: Pick<Email, 'subject' | 'sender'>): string {
  const bare = mail.subject.replace(PREFIXES, '').trim()
  return (bare === '' ? `Email from ${mail.sender}` : bare).slice(0, TODO_TITLE_MAX).toWellFormed()
}
