import type { MailAction } from '#contract/email-actions.ts'
import type { Folder } from '#contract/emails.ts'

/** The key of an action, for its tooltip. The same key stands for an action and for what takes it back. */
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

/** `g` and then one of these leads to a folder. */
export const FOLDER_KEYS: Record<string, Folder> = {
  i: 'inbox',
  s: 'sent',
  d: 'drafts',
  l: 'scheduled',
  a: 'archived',
  p: 'spam',
  t: 'trash',
}
