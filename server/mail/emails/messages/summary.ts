import { hash } from 'node:crypto'

/** How many characters of a mail's text a list shows. */
const SNIPPET = 300

/** The start of a mail's text, for a list. */
export function snippetOf(text: string): string {
  return text
    .slice(0, SNIPPET * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SNIPPET)
    .toWellFormed()
}

/** The collapse key of every delivery report about a mail of the user's: the inbox folds them into one row. */
export const DELIVERY_REPORTS = 'delivery-reports'

/** The key by which the inbox collapses mails: same sender, same subject. */
export function collapseKey(from: string, subject: string): string {
  return hash('md5', `${from.toLowerCase()}\n${subject.trim().toLowerCase()}`, 'base64url')
}
