import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email, Folder } from '#contract/mail/email.ts'
import { isOutgoing } from './is-outgoing.ts'

export const ACTION_NAMES: Record<MailAction, string> = {
  read: 'Mark as read',
  unread: 'Mark as unread',
  star: 'Star',
  unstar: 'Unstar',
  archive: 'Archive',
  unarchive: 'Unarchive',
  trash: 'Move to trash',
  restore: 'Restore',
  spam: 'Report spam',
  'not-spam': 'Not spam',
  delete: 'Delete permanently',
}

const FOLDERS_OF_STATUS: Record<Exclude<Email['status'], 'deleted'>, Folder> = {
  received: 'inbox',
  sent: 'sent',
  draft: 'drafts',
  scheduled: 'scheduled',
  archived: 'archived',
  spam: 'spam',
  trashed: 'trash',
}

/** The folder of a mail. */
export const folderOf = ({ status }: Email): Folder | null =>
  status === 'deleted' ? null : FOLDERS_OF_STATUS[status]

/** The moves that a folder offers, most likely first. A scheduled mail is cancelled or edited instead. */
const MOVES: Record<Folder, readonly MailAction[]> = {
  inbox: ['archive', 'trash', 'spam'],
  sent: ['archive', 'trash'],
  drafts: ['archive', 'trash'],
  scheduled: [],
  archived: ['unarchive', 'trash', 'spam'],
  spam: ['not-spam', 'trash', 'archive'],
  trash: ['restore', 'delete', 'archive'],
}

/** The actions for a mail, in the order of its buttons; the star has a button of its own. */
export function actionsFor(mail: Email): readonly MailAction[] {
  const folder = folderOf(mail)
  if (folder === null) return []
  const outgoing = isOutgoing(mail)
  const moves = MOVES[folder].filter((action) => action !== 'spam' || !outgoing)
  return outgoing ? moves : [...moves, mail.isRead ? 'unread' : 'read']
}

/** The actions for several mails: those that at least one of them allows. */
export function actionsForMany(mails: readonly Email[]): readonly MailAction[] {
  const offered = new Set(mails.flatMap(actionsFor))
  return ALL_IN_ORDER.filter((action) => offered.has(action))
}
const ALL_IN_ORDER: readonly MailAction[] = [
  'archive',
  'unarchive',
  'not-spam',
  'restore',
  'trash',
  'delete',
  'spam',
  'read',
  'unread',
]

const BACK: Partial<Record<MailAction, MailAction>> = {
  archive: 'unarchive',
  trash: 'restore',
  spam: 'not-spam',
  read: 'unread',
  unread: 'read',
}

/** The action that reverses another; undefined if it needs no Undo or cannot be undone. */
export const backOf = (action: MailAction): MailAction | undefined => BACK[action]

/** True if the action removes a mail from its folder. */
export const moves = (action: MailAction): boolean => !['read', 'unread', 'star', 'unstar'].includes(action)

/** True for actions that ask for confirmation (spec: move to trash, restore, permanent delete). */
export const asksFirst = (action: MailAction): boolean => ['trash', 'restore', 'delete'].includes(action)
