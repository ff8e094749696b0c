import type { Email } from '#contract/email.ts'
import { TODO_TITLE_MAX } from '#contract/todos.ts'

// "Re:", "Fwd: AW:" and the like, as many as there are.
const PREFIXES = /^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw)(?:\[\d+\])?\s*:)+/i

/** What a task about a mail is called at first: the mail's subject without what answering puts before it. */
export function taskTitle({
  subject,
  from,
  from_name,
}: Pick<Email, 'subject' | 'from' | 'from_name'>): string {
  const bare = subject.replace(PREFIXES, '').trim()
  return (bare === '' ? `Email from ${from_name || from}` : bare).slice(0, TODO_TITLE_MAX).toWellFormed()
}
