import type { ChatSession } from '#contract/assistant/assistant.ts'

/** Characters of a title in the narrow list. */
const NARROW_CHARS = 30

/** A title as the narrow list shows it. */
export function narrowTitle(title: string): string {
  const letters = Array.from(title)
  return letters.length <= NARROW_CHARS ? title : `${letters.slice(0, NARROW_CHARS).join('').trimEnd()}…`
}

/** Whom a conversation is about; '' for none. */
export const aboutOf = ({ contact_name: name, contact_email: email }: ChatSession): string =>
  name === '' ? email : name
