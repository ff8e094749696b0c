import type { KeyGroup } from '#web/platform/ui/key-list.ts'
import { COMMAND_KEY } from '#web/platform/ui/key-press.ts'

/** The keyboard shortcuts of the contacts page. */
export const CONTACTS_KEYS: readonly KeyGroup[] = [
  {
    title: 'Contacts',
    lines: [
      { keys: ['/'], does: 'Search contacts' },
      { keys: ['Esc'], does: 'Clear the selection' },
    ],
  },
]

/** The keyboard shortcuts of a contact's page. */
export const CONTACT_KEYS: readonly KeyGroup[] = [
  {
    title: 'Notes',
    lines: [
      { keys: [`${COMMAND_KEY} Enter`], does: 'Save what you have written' },
      { keys: ['Esc'], does: 'Discard your changes' },
    ],
  },
]
