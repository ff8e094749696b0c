import type { emails, Folder } from '#contract/emails.ts'
import type { ReplyOf } from '#contract/endpoint.ts'

type Counts = ReplyOf<typeof emails.counts>

/** How folders are called, in the order of the sidebar, and which figure stands beside each. */
export const FOLDER_ROWS: readonly { folder: Folder; name: string; count?: keyof Counts }[] = [
  { folder: 'inbox', name: 'Inbox', count: 'unread_inbox' },
  { folder: 'sent', name: 'Sent' },
  { folder: 'drafts', name: 'Drafts', count: 'drafts' },
  { folder: 'scheduled', name: 'Scheduled', count: 'scheduled' },
  { folder: 'archived', name: 'Archived', count: 'archived' },
  { folder: 'spam', name: 'Spam', count: 'spam' },
  { folder: 'trash', name: 'Trash', count: 'trash' },
]

export const folderName = (folder: Folder): string =>
  FOLDER_ROWS.find((row) => row.folder === folder)?.name ?? folder

/** What an empty folder is for. */
export const EMPTY_HINTS: Record<Folder, string> = {
  inbox: 'Answers to what you send arrive here by themselves.',
  sent: 'What you send stands here, with how far it has come.',
  drafts: 'Emails that you begin and do not send yet wait here.',
  scheduled: 'Emails with a time to leave wait here for it.',
  archived: 'What is done with, but worth keeping.',
  spam: 'What nobody asked for ends up here.',
  trash: 'Nothing was thrown away.',
}
