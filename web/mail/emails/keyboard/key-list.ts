import type { KeyGroup } from '#web/platform/ui/key-list.ts'
import { COMMAND_KEY } from '#web/platform/ui/key-press.ts'

/** The keyboard shortcuts of the mail page (`mail-keys.ts`, `use-mail-keys.ts`). */
export const MAIL_KEYS: readonly KeyGroup[] = [
  {
    title: 'Move around',
    lines: [
      { keys: ['j'], does: 'Next email' },
      { keys: ['k'], does: 'Previous email' },
      { keys: ['o', 'Enter'], does: 'Open' },
      { keys: ['Esc'], does: 'Clear the selection, or close' },
      { keys: ['/'], does: 'Search emails' },
    ],
  },
  {
    title: 'Actions',
    lines: [
      { keys: ['x'], does: 'Select' },
      { keys: ['e'], does: 'Archive, or unarchive' },
      { keys: ['#'], does: 'Move to trash; in Trash: delete permanently' },
      { keys: ['y'], does: 'Restore from Trash' },
      { keys: ['!'], does: 'Report spam; in Spam: not spam' },
      { keys: ['u'], does: 'Mark as read or unread' },
      { keys: ['s'], does: 'Star' },
      { keys: ['z'], does: 'Undo' },
    ],
  },
  {
    title: 'Write',
    lines: [
      { keys: ['c'], does: 'Compose' },
      { keys: ['r'], does: 'Reply' },
      { keys: ['a'], does: 'Reply all' },
      { keys: ['f'], does: 'Forward' },
      { keys: [`${COMMAND_KEY} Enter`], does: 'Send what you are writing' },
    ],
  },
  {
    title: 'Go to',
    lines: [
      { keys: ['g', 'i'], does: 'Inbox' },
      { keys: ['g', 's'], does: 'Sent' },
      { keys: ['g', 'd'], does: 'Drafts' },
      { keys: ['g', 'l'], does: 'Scheduled' },
      { keys: ['g', 'a'], does: 'Archived' },
      { keys: ['g', 'p'], does: 'Spam' },
      { keys: ['g', 't'], does: 'Trash' },
    ],
  },
]
