import { type FolderRole, ImapFailure } from '../../../platform/gateways/imap.ts'
import { forgetFolders, type MailboxFolder } from '../../mailboxes/mailboxes.ts'
import { holdEmails } from './folder-state-store.ts'
import { clearTrouble, noteTrouble, pausedUntil, troubleWith } from './put-aside.ts'
import { accountOf, type ReadFolder, type SyncPass, whileHeld } from './sync-pass.ts'

export const INBOX: ReadFolder = { path: 'INBOX', role: 'inbox' }
/**
 * What people look at first comes first. Folders without a role come last: most of their messages are known by then.
 */
const ROLE_ORDER = ['inbox', 'sent', 'junk', 'drafts', 'archive', 'trash', null]

/** How long a list of folders that lacks most of them is not believed, in milliseconds. */
const UNLISTED_MS = 10 * 60_000
const UNLISTED = { kind: 'unlisted' } as const
/** More folders than this are not told by name. */
const NAMED_MAX = 3

/** The rows of the folders, by path, as they were read last. */
export type Saved = Map<string, MailboxFolder>

/** The folders as they were listed last. */
export function foldersOf(saved: Saved): ReadFolder[] {
  const folders = [...saved.values()].map(({ path, role }) => ({ path, role: role as FolderRole | null }))
  return byRole([INBOX, ...folders.filter(({ path }) => path !== INBOX.path)])
}

/**
 * The folders to sync. Those that are gone from the server are forgotten; their messages stay. Null while the list is in
 * doubt: then nothing is forgotten.
 *
 * @throws ImapFailure also when the list lacks folders and the inbox, which every account has (RFC 3501 5.1)
 */
export async function listFolders(
  pass: SyncPass,
  saved: ReadonlyMap<string, MailboxFolder>,
): Promise<ReadFolder[] | null> {
  const { mailbox } = pass
  const listed = (await pass.session.listFolders()).map(({ path, role }) => ({ path, role }))
  const others = listed.filter(({ path }) => path.toUpperCase() !== INBOX.path)
  const paths = new Set([INBOX.path, ...others.map(({ path }) => path)])
  const gone = [...saved.keys()].filter((path) => !paths.has(path))
  const hasInbox = listed.some(({ path, role }) => role === 'inbox' || path.toUpperCase() === INBOX.path)
  if (gone.length > 0 && !hasInbox) {
    // However long this lasts, it is not believed. The ten minutes begin when the inbox is listed again.
    await clearTrouble(pass, UNLISTED)
    throw new ImapFailure('protocol', 'It lacks the inbox, so Howl does not rely on it.')
  }
  if (await isInDoubt(pass, saved, others.length, gone)) return null
  if (gone.length > 0) await whileHeld(pass, (tx) => forgetFolders(tx, mailbox.user_id, mailbox.id, gone))
  return byRole([INBOX, ...others])
}

/**
 * Whether a list of folders is rather a fault of the server than what people did. They delete a folder or some, and
 * rename as many as they like; a server that has lost sight of its storage lists the inbox at most. So a list that lacks
 * folders with emails, and is less than half as long as before, is told on the page and believed only after a while.
 */
async function isInDoubt(
  pass: SyncPass,
  saved: ReadonlyMap<string, MailboxFolder>,
  listed: number,
  gone: readonly string[],
): Promise<boolean> {
  const before = [...saved.values()].filter((row) => row.path !== INBOX.path && row.uid_validity !== null)
  const isShort = listed < before.length / 2
  if (!isShort || !(await holdEmails(pass.context.db, accountOf(pass), gone))) {
    await clearTrouble(pass, UNLISTED)
    return false
  }
  if (troubleWith(pass, UNLISTED) === undefined)
    await noteTrouble(pass, UNLISTED, reasonOf(gone), [UNLISTED_MS])
  if (pausedUntil(pass, UNLISTED) !== null) return true
  await clearTrouble(pass, UNLISTED)
  return false
}

/** Their names, or how many there are. */
function reasonOf(paths: readonly string[]): string {
  if (paths.length === 1) return `the folder ${paths[0]}`
  const named = paths.length > NAMED_MAX ? '' : ` (${paths.join(', ')})`
  return `${paths.length.toLocaleString('en')} folders${named}`
}

function byRole(folders: ReadFolder[]): ReadFolder[] {
  return folders.sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))
}
