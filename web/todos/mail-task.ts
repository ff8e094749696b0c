import type { Email } from '#contract/email.ts'
import { TODO_TITLE_MAX } from '#contract/todos.ts'

// Any number of prefixes such as "Re:" or "Fwd: AW:".
const PREFIXES = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw)(?:\[\d+\])?\s*:)+/i

/** The suggested title of a task about a mail: the subject without "Re:" and similar prefixes. */
export function taskTitle({
  subject,
  from,
  from_name,
}: Pick<Email, 'subject' | 'from' | 'from_name'>): string {
  const bare = subject.replace(PREFIXES, '').trim()
  return (bare === '' ? `Email from ${from_name || from}` : bare).slice(0, TODO_TITLE_MAX).toWellFormed()
}
