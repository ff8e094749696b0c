import { matchPath } from 'react-router'
import { ASSISTANT_KEYS } from '#web/assistant/key-list.ts'
import { INVOICES_KEYS } from '#web/invoicing/invoices/list/key-list.ts'
import { CONTACT_KEYS, CONTACTS_KEYS } from '#web/crm/contacts/key-list.ts'
import { MAIL_KEYS } from '#web/mail/emails/keyboard/key-list.ts'
import { MEETING_KEYS } from '#web/crm/meetings/key-list.ts'
import { paths } from '#web/platform/paths.ts'
import type { KeyGroup } from '#web/platform/ui/key-list.ts'
import { COMMAND_KEY } from '#web/platform/ui/key-press.ts'

const KEYS: readonly (readonly [path: string, groups: readonly KeyGroup[]])[] = [
  [paths.emails, MAIL_KEYS],
  [paths.contacts, CONTACTS_KEYS],
  [paths.invoiceList, INVOICES_KEYS],
  [paths.assistant, ASSISTANT_KEYS],
  [paths.assistantByName, ASSISTANT_KEYS],
  [paths.contact, CONTACT_KEYS],
  [paths.meetings, MEETING_KEYS],
]

const EVERYWHERE: KeyGroup = {
  title: 'Everywhere',
  lines: [
    { keys: [`${COMMAND_KEY} K`], does: 'Search everything' },
    { keys: ['?'], does: 'Show this list' },
    { keys: ['Esc'], does: 'Close what is open' },
  ],
}

/** The shortcuts of the page at an address, and those of every page. */
export function keysAt(pathname: string): readonly KeyGroup[] {
  const own = KEYS.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? []
  return [...own, EVERYWHERE]
}
