import { inTransaction } from '../../database/transaction.ts'
import type { FolderRole } from '../../gateways/imap.ts'
import { holdsMailbox, loadFolders, saveFolder } from '../../mailboxes/mailboxes.ts'
import type { Target } from './plan-actions.ts'
import { MailboxTaken, type SyncPass } from './sync-pass.ts'

const ROLES: Record<Target, FolderRole> = {
  inbox: 'inbox',
  sent: 'sent',
  drafts: 'drafts',
  archived: 'archive',
  spam: 'junk',
  trash: 'trash',
}
/** What a folder is called where the account has none for its purpose. */
const NAMES: Record<Target, string> = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  archived: 'Archive',
  spam: 'Junk',
  trash: 'Trash',
}
/** Gmail archives by taking a mail out of the inbox: what is left is the folder of all mails. */
const GMAIL = 'X-GM-EXT-1'

/** True on servers that remove a mail for good only out of the trash. */
export function removesViaTrash(turn: SyncPass): boolean {
  return turn.session.supports(GMAIL)
}

/**
 * Finds the account's folder for a purpose by what the server says of it (RFC 6154) or by its name; one that is missing
 * is made, and subscribed to. Nothing may be selected that is still needed.
 *
 * @throws ImapFailure
 */
export async function findTargetFolder(turn: SyncPass, target: Target): Promise<string> {
  const { context, mailbox, session } = turn
  const known = await loadFolders(context.db, mailbox.user_id, mailbox.id)
  const saved = known.find(({ role }) => role === ROLES[target])
  if (saved !== undefined) return saved.path
  const listed = await session.listFolders()
  const found =
    listed.find(({ role }) => role === ROLES[target]) ??
    (target === 'archived' && removesViaTrash(turn) ? listed.find(({ all }) => all) : undefined) ??
    listed.find(({ path }) => path.toLowerCase() === NAMES[target].toLowerCase())
  const path = found?.path ?? (await session.createFolder(NAMES[target]))
  await saveRole(turn, path, target)
  return path
}

/** Remembers what the folder is for: mails are moved into it before it is read for the first time. */
async function saveRole(turn: SyncPass, path: string, target: Target): Promise<void> {
  const { context, mailbox } = turn
  const folder = {
    user_id: mailbox.user_id,
    mailbox_id: mailbox.id,
    path,
    role: ROLES[target],
    uid_validity: null,
    low_uid: 0,
    high_uid: 0,
    mod_seq: null,
    behind: 0,
    last_read_at: null,
    last_error: null,
  }
  await inTransaction(context.db, async (tx) => {
    if (!(await holdsMailbox(tx, mailbox.user_id, mailbox.id, context.workerId))) throw new MailboxTaken()
    const known = await loadFolders(tx, mailbox.user_id, mailbox.id)
    if (!known.some((row) => row.path === path)) await saveFolder(tx, folder)
  })
}
