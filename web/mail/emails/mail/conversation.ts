import type { Email } from '#contract/mail/emails.ts'

/** More closed mails than this in a row are collapsed into one line. */
const CLOSED_MAX = 3

export type ConversationPart = { kind: 'mail'; mail: Email } | { kind: 'more'; mails: Email[] }

/**
 * The parts of a conversation, oldest first. The opened mail and unread ones are open; the others are one line each. Of
 * a long row of lines only the first and the last show; one line stands for the rest.
 */
export function conversationParts(
  mails: readonly Email[],
  isOpen: (mail: Email) => boolean,
  showsAll: boolean,
): ConversationPart[] {
  const parts: ConversationPart[] = []
  let closed: Email[] = []
  const flush = () => {
    const [first, ...others] = closed
    const last = others.pop()
    if (showsAll || closed.length <= CLOSED_MAX || first === undefined || last === undefined) {
      parts.push(...closed.map((mail): ConversationPart => ({ kind: 'mail', mail })))
    } else {
      parts.push({ kind: 'mail', mail: first }, { kind: 'more', mails: others }, { kind: 'mail', mail: last })
    }
    closed = []
  }
  for (const mail of mails) {
    if (!isOpen(mail)) closed.push(mail)
    else {
      flush()
      parts.push({ kind: 'mail', mail })
    }
  }
  flush()
  return parts
}
