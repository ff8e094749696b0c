import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email, Folder } from '#contract/mail/email.ts'
import type { emailReading } from '#contract/mail/email-reading.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

type Counts = ReplyOf<typeof emailReading.counts>

/**
 * The folder that a mail will move to, as far as the page knows before the server answers; null for a folder that is
 * not shown.
 */
function targetOf(mail: Email, action: MailAction): Folder | null {
  if (action === 'archive') return 'archived'
  if (action === 'trash') return 'trash'
  if (action === 'spam') return 'spam'
  if (action === 'delete') return null
  return ORIGINS.find((origin) => origin === mail.original_folder) ?? 'inbox'
}
const ORIGINS: readonly Folder[] = ['inbox', 'sent', 'drafts', 'spam', 'trash']

/** The folder counts after an action. */
export function countsAfter(counts: Counts, action: MailAction, mails: readonly Email[]): Counts {
  const next = { ...counts }
  const add = (folder: Folder, mail: Email, by: 1 | -1) => {
    next[folder] = Math.max(0, next[folder] + by * Math.max(1, mail.collapsed))
    if (folder === 'inbox' && !mail.isRead) next.unread_inbox = Math.max(0, next.unread_inbox + by)
  }
  for (const mail of mails) {
    const folder = folderOf(mail)
    if (folder === null) continue
    if (moves(action)) {
      const target = targetOf(mail, action)
      add(folder, mail, -1)
      if (target !== null) add(target, mail, 1)
    } else if (
      folder === 'inbox' &&
      (action === 'read' || action === 'unread') &&
      mail.isRead !== (action === 'read')
    ) {
      next.unread_inbox = Math.max(0, next.unread_inbox + (action === 'read' ? -1 : 1))
    }
  }
  return next
}

const STATUSES: Record<Folder, Email['status']> = {
  inbox: 'received',
  sent: 'sent',
  drafts: 'draft',
  scheduled: 'scheduled',
  archived: 'archived',
  spam: 'spam',
  trash: 'trashed',
}

/** A mail after an action, as far as the page can know. */
export function predictOutcome(mail: Email, action: MailAction): Email {
  if (action === 'read' || action === 'unread') return { ...mail, isRead: action === 'read' }
  if (action === 'star' || action === 'unstar') return { ...mail, isStarred: action === 'star' }
  const target = targetOf(mail, action)
  if (target === null) return { ...mail, status: 'deleted' }
  return { ...mail, status: STATUSES[target], original_folder: mail.original_folder ?? folderOf(mail) }
}
