import type { FolderRole } from '../../gateways/imap.ts'
import { forgetFolders, type MailboxFolder } from '../../mailboxes/mailboxes.ts'
import { type ReadFolder, type SyncPass, whileHeld } from './sync-pass.ts'

export const INBOX: ReadFolder = { path: 'INBOX', role: 'inbox' }
/**
 * What people look at first comes first. Folders without a role come last: most of their messages are known by then.
 */
const ROLE_ORDER = ['inbox', 'sent', 'junk', 'drafts', 'archive', 'trash', null]

/** The rows of the folders, by path, as they were read last. */
export type Saved = Map<string, MailboxFolder>

/** The folders as they were listed last. */
export function foldersOf(saved: Saved): ReadFolder[] {
  const folders = [...saved.values()].map(({ path, role }) => ({ path, role: role as FolderRole | null }))
  return byRole([INBOX, ...folders.filter(({ path }) => path !== INBOX.path)])
}

/** The folders to sync. Those that are gone from the server are forgotten; their messages stay. */
export async function listFolders(
  pass: SyncPass,
  saved: ReadonlyMap<string, MailboxFolder>,
): Promise<ReadFolder[]> {
  const { mailbox } = pass
  const listed = await pass.session.listFolders()
  const folders = listed.map(({ path, role }) => (path.toUpperCase() === 'INBOX' ? INBOX : { path, role }))
  const paths = new Set(folders.map(({ path }) => path))
  const gone = [...saved.keys()].filter((path) => !paths.has(path))
  if (gone.length > 0 && paths.has(INBOX.path)) {
    await whileHeld(pass, (tx) => forgetFolders(tx, mailbox.user_id, mailbox.id, gone))
  }
  return byRole(folders)
}

function byRole(folders: ReadFolder[]): ReadFolder[] {
  return folders.sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))
}
