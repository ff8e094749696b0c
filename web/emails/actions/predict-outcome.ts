import type { MailAction } from '#contract/email-actions.ts'
import type { Email, Folder } from '#contract/email.ts'
import type { emailReading } from '#contract/email-reading.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

type Counts = ReplyOf<typeof emailReading.counts>

/** Where a mail goes, as far as the page knows before the server has said so; null: nowhere that is shown. */
function targetOf(mail: Email, act: MailAction): Folder | null {
  if (act === 'archive') return 'archived'
  if (act === 'trash') return 'trash'
  if (act === 'spam') return 'spam'
  if (act === 'delete') return null
  return ORIGINS.find((origin) => origin === mail.original_folder) ?? 'inbox'
}
const ORIGINS: readonly Folder[] = ['inbox', 'sent', 'drafts', 'spam', 'trash']

/** The folders' figures as an act will leave them. */
export function countsAfter(counts: Counts, act: MailAction, mails: readonly Email[]): Counts {
  const next = { ...counts }
  const add = (folder: Folder, mail: Email, by: 1 | -1) => {
    next[folder] = Math.max(0, next[folder] + by * Math.max(1, mail.collapsed))
    if (folder === 'inbox' && !mail.isRead) next.unread_inbox = Math.max(0, next.unread_inbox + by)
  }
  for (const mail of mails) {
    const folder = folderOf(mail)
    if (folder === null) continue
    if (moves(act)) {
      const target = targetOf(mail, act)
      add(folder, mail, -1)
      if (target !== null) add(target, mail, 1)
    } else if (
      folder === 'inbox' &&
      (act === 'read' || act === 'unread') &&
      mail.isRead !== (act === 'read')
    ) {
      next.unread_inbox = Math.max(0, next.unread_inbox + (act === 'read' ? -1 : 1))
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

/** A mail as an act leaves it, as far as the page can know. */
export function predictOutcome(mail: Email, act: MailAction): Email {
  if (act === 'read' || act === 'unread') return { ...mail, isRead: act === 'read' }
  if (act === 'star' || act === 'unstar') return { ...mail, isStarred: act === 'star' }
  const target = targetOf(mail, act)
  if (target === null) return { ...mail, status: 'deleted' }
  return { ...mail, status: STATUSES[target], original_folder: mail.original_folder ?? folderOf(mail) }
}
