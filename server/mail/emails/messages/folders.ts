import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Folder } from '#contract/mail/emails.ts'
import type { FolderRole } from '../../../platform/gateways/imap.ts'
import type { DeliveryState, EmailFolder } from '../tables.ts'

/** Where a mail can go back to. */
export type HomeFolder = 'inbox' | 'sent' | 'drafts' | 'spam' | 'trash'

/**
 * Where a mail is, and where it goes back to. `trashed_from` is set for a mail that was archived from the trash: it goes
 * back to the trash, and from there to where it was before.
 */
export type MailPosition = {
  folder: EmailFolder
  original_folder: string | null
  trashed_from: string | null
}

/** Everything about a mail that the rules depend on. */
export type MailState = MailPosition & { direction: 'in' | 'out'; delivery_state: DeliveryState | null }

/** `refused` tells the user in a sentence why not; `null`: nothing to do, or the action does not apply. */
export type MoveResult = { to: MailPosition } | { refused: string } | null

export const EMAIL_NOT_FOUND = 'Email not found'
export const STILL_SENDING =
  'This email is still being sent. Cancel it first, or wait until it has been sent.'
export const STILL_SCHEDULED = 'This email is scheduled. Cancel it first.'
export const NOT_IN_TRASH = 'Only emails in the trash can be deleted for good.'
export const OWN_IS_NO_SPAM = 'This is your own email. It cannot be spam.'

/** In these states the delivery is over: the mail is not on its way any more. */
const SETTLED: ReadonlySet<DeliveryState> = new Set(['sent', 'failed'])

const HOMES: ReadonlySet<string> = new Set<HomeFolder>(['inbox', 'sent', 'drafts', 'spam', 'trash'])

/** Actions that move a mail; the others only change a flag. */
export const MOVES = ['archive', 'unarchive', 'trash', 'restore', 'spam', 'not-spam', 'delete'] as const
export type MoveAction = (typeof MOVES)[number]

/** Whether an action moves mails. */
export function isMove(action: MailAction): action is MoveAction {
  return (MOVES as readonly string[]).includes(action)
}

/** The folder for a mail whose previous folder is unknown. */
function homeOf({ direction }: Pick<MailState, 'direction'>): HomeFolder {
  return direction === 'out' ? 'sent' : 'inbox'
}

/** The name as a home folder; `fallback` for anything else. */
function home(name: string | null, fallback: HomeFolder): HomeFolder {
  return name !== null && HOMES.has(name) ? (name as HomeFolder) : fallback
}

/** Applies a move to a mail. The folder it came from is kept through any chain of actions. */
export function applyMove(action: MoveAction, mail: MailState): MoveResult {
  if (mail.folder === 'deleted') return null
  if (mail.folder === 'scheduled') return { refused: STILL_SCHEDULED }
  if (mail.delivery_state !== null && !SETTLED.has(mail.delivery_state)) return { refused: STILL_SENDING }
  if (action === 'archive') return mail.folder === 'archived' ? null : { to: archived(mail) }
  if (action === 'unarchive') return mail.folder === 'archived' ? { to: unarchived(mail) } : null
  if (action === 'trash') return mail.folder === 'trash' ? null : { to: trashed(mail) }
  if (action === 'restore') return mail.folder === 'trash' ? { to: restored(mail) } : null
  if (action === 'spam') return markedSpam(mail)
  if (action === 'not-spam') return mail.folder === 'spam' ? { to: cleared(mail) } : null
  return mail.folder === 'trash'
    ? { to: { ...positionOf(mail), folder: 'deleted' } }
    : { refused: NOT_IN_TRASH }
}

/**
 * The new position of a mail that was found in another folder on the server: the same as if the user had moved it here.
 * Unlike the user, the server is never refused; a mail that fits nowhere is archived.
 */
export function applyServerFolder(to: EmailFolder, mail: MailState): MailPosition {
  if (to === mail.folder) return positionOf(mail)
  if (to === 'archived') return archived(mail)
  if (to === 'trash') return trashed(mail)
  if (to === 'spam') return { folder: 'spam', original_folder: homeBefore(mail), trashed_from: null }
  // Only the user's own mail can be a draft; a received mail would open in the editor.
  if (to === 'drafts' && mail.direction === 'in') return archived(mail)
  return { folder: to, original_folder: null, trashed_from: null }
}

/** The folder that a response names as the one a mail went back to. */
export function restoredTo({ folder }: Pick<MailPosition, 'folder'>): Folder {
  return folder === 'deleted' ? 'inbox' : folder
}

function positionOf({ folder, original_folder, trashed_from }: MailPosition): MailPosition {
  return { folder, original_folder, trashed_from }
}

function archived(mail: MailState): MailPosition {
  if (mail.folder === 'archived') return positionOf(mail)
  if (mail.folder === 'trash')
    return {
      folder: 'archived',
      original_folder: 'trash',
      trashed_from: home(mail.original_folder, homeOf(mail)),
    }
  const from = mail.folder === 'deleted' ? homeBefore(mail) : home(mail.folder, homeOf(mail))
  return { folder: 'archived', original_folder: from, trashed_from: null }
}

function unarchived(mail: MailState): MailPosition {
  const to = home(mail.original_folder, homeOf(mail))
  if (to !== 'trash') return { folder: to, original_folder: null, trashed_from: null }
  return { folder: 'trash', original_folder: home(mail.trashed_from, homeOf(mail)), trashed_from: null }
}

function trashed(mail: MailState): MailPosition {
  return { folder: 'trash', original_folder: homeBefore(mail, true), trashed_from: null }
}

function restored(mail: MailState): MailPosition {
  const to = home(mail.original_folder, homeOf(mail))
  return { folder: to === 'trash' ? homeOf(mail) : to, original_folder: null, trashed_from: null }
}

function markedSpam(mail: MailState): MoveResult {
  if (mail.folder === 'spam') return null
  if (mail.direction === 'out') return { refused: OWN_IS_NO_SPAM }
  return { to: { folder: 'spam', original_folder: homeBefore(mail), trashed_from: null } }
}

function cleared(mail: MailState): MailPosition {
  const to = home(mail.original_folder, homeOf(mail))
  return {
    folder: to === 'spam' || to === 'trash' ? homeOf(mail) : to,
    original_folder: null,
    trashed_from: null,
  }
}

/** The home folder of a mail that moves to spam or the trash: never the archive or trash that it may be in. */
function homeBefore(mail: MailState, fromSpamToo = false): HomeFolder {
  if (mail.folder === 'spam' && fromSpamToo) return 'spam'
  if (mail.folder === 'inbox' || mail.folder === 'sent' || mail.folder === 'drafts') return mail.folder
  const kept = mail.original_folder === 'trash' ? mail.trashed_from : mail.original_folder
  const before = home(kept, homeOf(mail))
  return before === 'trash' || (before === 'spam' && !fromSpamToo) ? homeOf(mail) : before
}

/** Our folder for each role of a server folder. */
export const FOLDER_OF_ROLE: Readonly<Record<FolderRole, EmailFolder>> = {
  inbox: 'inbox',
  sent: 'sent',
  drafts: 'drafts',
  trash: 'trash',
  junk: 'spam',
  archive: 'archived',
}

/** Our folder for a folder of the IMAP server; what has no role of its own is put away. */
export function folderOfRole(role: FolderRole | null): EmailFolder {
  return role === null ? 'archived' : FOLDER_OF_ROLE[role]
}
