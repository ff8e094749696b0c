import type { emails, Folder } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'

type Counts = ReplyOf<typeof emails.counts>

/** The names of the folders, in the order of the sidebar, each with the count shown beside it. */
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
  inbox: 'Replies to your emails arrive here automatically.',
  sent: 'Emails you send will show up here with their delivery status.',
  drafts: 'Emails you have started but not sent yet are kept here.',
  scheduled: 'Emails you schedule for later wait here.',
  archived: 'Emails you are done with but want to keep go here.',
  spam: 'Unwanted emails end up here.',
  trash: 'Emails you throw away end up here.',
}
