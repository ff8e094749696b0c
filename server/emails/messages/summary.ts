import { hash } from 'node:crypto'

/** How much of a mail's text a list shows. */
const SNIPPET = 300

/** What a list shows of a mail's text. */
export function snippetOf(text: string): string {
  return text
    .slice(0, SNIPPET * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SNIPPET)
    .toWellFormed()
}

/** Mails that the inbox shows as one: same sender, same subject. */
export function collapseKey(from: string, subject: string): string {
  return hash('md5', `${from.toLowerCase()}\n${subject.trim().toLowerCase()}`, 'base64url')
}
