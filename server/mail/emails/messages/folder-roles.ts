import type { FolderRole } from '../../../platform/gateways/imap.ts'
import type { EmailFolder } from '../tables.ts'

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
