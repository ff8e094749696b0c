import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email, Folder } from '#contract/mail/emails.ts'
import { folderName } from '../mail/folders.ts'

export const subjectOf = (mail: Email) => mail.subject || 'No subject'
export const countOf = (mails: readonly unknown[]) => `${mails.length.toLocaleString('en')} emails`

/** The message after an action; null if the page already shows the result. */
export function doneMessage(
  action: MailAction,
  mails: readonly Email[],
  restoredTo: Folder | null,
): string | null {
  const [one, ...others] = mails
  if (one === undefined || action === 'star' || action === 'unstar') return null
  return others.length === 0
    ? ONE[action](one, folderName(restoredTo ?? 'inbox'))
    : MANY[action](countOf(mails))
}

type Said = Exclude<MailAction, 'star' | 'unstar'>

const ONE: Record<Said, (mail: Email, folder: string) => string> = {
  archive: () => 'Email archived successfully',
  unarchive: (_, folder) => `Email moved back to ${folder} folder`,
  trash: (mail) => `Email "${subjectOf(mail)}" moved to trash`,
  restore: (mail, folder) => `Email "${subjectOf(mail)}" restored to ${folder}`,
  delete: () => 'Email deleted permanently',
  spam: () => 'Reported as spam',
  'not-spam': () => 'Marked not spam',
  read: () => 'Marked as read',
  unread: () => 'Marked as unread',
}

const MANY: Record<Said, (emails: string) => string> = {
  archive: (emails) => `${emails} archived`,
  unarchive: (emails) => `${emails} moved back`,
  trash: (emails) => `${emails} moved to trash`,
  restore: (emails) => `${emails} restored`,
  delete: (emails) => `${emails} deleted permanently`,
  spam: (emails) => `${emails} reported as spam`,
  'not-spam': (emails) => `${emails} marked not spam`,
  read: (emails) => `${emails} marked as read`,
  unread: (emails) => `${emails} marked as unread`,
}

/** The message when an action fails; null if the returning row is enough (spec: trash, restore, delete). */
export const FAILURES: Record<MailAction, string | null> = {
  archive: 'Failed to archive email',
  unarchive: 'Failed to move email back to original folder',
  'not-spam': 'Failed',
  trash: null,
  restore: null,
  delete: null,
  spam: 'Failed to report spam',
  read: 'Failed to mark as read',
  unread: 'Failed to mark as unread',
  star: 'Failed to star email',
  unstar: 'Failed to star email',
}
