import type { FolderRole } from '../../../platform/gateways/imap.ts'
import { loadFolders, newFolder, saveFolder } from '../../mailboxes/mailboxes.ts'
import type { Target } from './plan-actions.ts'
import { accountOf, type SyncPass, whileHeld } from './sync-pass.ts'

/** The folder for each purpose, and the name of the one to create where the account has none. */
const FOLDERS: Record<Target, { role: FolderRole; name: string }> = {
  inbox: { role: 'inbox', name: 'INBOX' },
  sent: { role: 'sent', name: 'Sent' },
  drafts: { role: 'drafts', name: 'Drafts' },
  archived: { role: 'archive', name: 'Archive' },
  spam: { role: 'junk', name: 'Junk' },
  trash: { role: 'trash', name: 'Trash' },
}
/** Gmail archives a message by taking it out of the inbox; what remains is the folder of all mail. */
const GMAIL = 'X-GM-EXT-1'

/** True on servers that delete a message permanently only from the trash. */
export function removesViaTrash(pass: SyncPass): boolean {
  return pass.session.supports(GMAIL)
}

/**
 * Finds the account's folder for a purpose by its SPECIAL-USE role (RFC 6154) or its name, and creates it if it is
 * missing. May select another folder.
 *
 * @throws ImapFailure
 */
export async function findTargetFolder(pass: SyncPass, target: Target): Promise<string> {
  const { context, mailbox, session } = pass
  const { role: wanted, name } = FOLDERS[target]
  const known = await loadFolders(context.db, mailbox.user_id, mailbox.id)
  const saved = known.find(({ role }) => role === wanted)
  if (saved !== undefined) return saved.path
  const listed = await session.listFolders()
  const found =
    listed.find(({ role }) => role === wanted) ??
    (target === 'archived' && removesViaTrash(pass) ? listed.find(({ all }) => all) : undefined) ??
    listed.find(({ path }) => path.toLowerCase() === name.toLowerCase())
  const path = found?.path ?? (await session.createFolder(name))
  await saveRole(pass, path, wanted)
  return path
}

/** Stores the folder's role: messages are moved into it before it is first synced. */
async function saveRole(pass: SyncPass, path: string, role: FolderRole): Promise<void> {
  const { mailbox } = pass
  const folder = newFolder(accountOf(pass), { path, role })
  await whileHeld(pass, async (tx) => {
    const known = await loadFolders(tx, mailbox.user_id, mailbox.id)
    if (!known.some((row) => row.path === path)) await saveFolder(tx, folder)
  })
}
