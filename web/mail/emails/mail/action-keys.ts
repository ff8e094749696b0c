import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Folder } from '#contract/mail/emails.ts'

/** The shortcut of each action. An action and its reverse share a key. */
export const ACTION_KEYS: Partial<Record<MailAction, string>> = {
  archive: 'e',
  unarchive: 'e',
  trash: '#',
  delete: '#',
  restore: 'y',
  spam: '!',
  'not-spam': '!',
  read: 'u',
  unread: 'u',
  star: 's',
  unstar: 's',
}

/** `g` followed by one of these opens a folder. */
export const FOLDER_KEYS: Record<string, Folder> = {
  i: 'inbox',
  s: 'sent',
  d: 'drafts',
  l: 'scheduled',
  a: 'archived',
  p: 'spam',
  t: 'trash',
}
