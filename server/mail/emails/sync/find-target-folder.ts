import type { FolderRole } from '../../../platform/gateways/imap.ts'
import { loadFolders, newFolder, saveFolder } from '../../mailboxes/mailboxes.ts'
import type { Target } from './plan-actions.ts'
import { accountOf, type SyncPass, whileHeld } from './sync-pass.ts'

const ROLES: Record<Target, FolderRole> = {
  inbox: 'inbox',
  sent: 'sent',
  drafts: 'drafts',
  archived: 'archive',
  spam: 'junk',
  trash: 'trash',
}
/** Name of the folder to create where the account has none for a purpose. */
const NAMES: Record<Target, string> = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  archived: 'Archive',
  spam: 'Junk',
  trash: 'Trash',
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
  const known = await loadFolders(context.db, mailbox.user_id, mailbox.id)
  const saved = known.find(({ role }) => role === ROLES[target])
  if (saved !== undefined) return saved.path
  const listed = await session.listFolders()
  const found =
    listed.find(({ role }) => role === ROLES[target]) ??
    (target === 'archived' && removesViaTrash(pass) ? listed.find(({ all }) => all) : undefined) ??
    listed.find(({ path }) => path.toLowerCase() === NAMES[target].toLowerCase())
  const path = found?.path ?? (await session.createFolder(NAMES[target]))
  await saveRole(pass, path, target)
  return path
}

/** Stores the folder's role: messages are moved into it before it is first synced. */
async function saveRole(pass: SyncPass, path: string, target: Target): Promise<void> {
  const { mailbox } = pass
  const folder = newFolder(accountOf(pass), { path, role: ROLES[target] })
  await whileHeld(pass, async (tx) => {
    const known = await loadFolders(tx, mailbox.user_id, mailbox.id)
    if (!known.some((row) => row.path === path)) await saveFolder(tx, folder)
  })
}
