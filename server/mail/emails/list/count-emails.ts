import type { emails } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { countTests, countUnsent, folderCounts } from './counts-store.ts'

/**
 * How many mails are in each folder, of all accounts or of one. `delivered` always counts the mails of all accounts: those
 * in Sent that their servers have accepted, without tests to oneself.
 */
export async function countEmails(
  db: Queryable,
  userId: number,
  mailboxId?: number,
): Promise<ReplyOf<typeof emails.counts>> {
  const [ofAllAccounts, unsent, tests, ofMailbox] = await Promise.all([
    folderCounts(db, userId),
    countUnsent(db, userId),
    countTests(db, userId),
    mailboxId === undefined ? null : folderCounts(db, userId, mailboxId),
  ])
  const sentByAll = ofAllAccounts.find(({ folder }) => folder === 'sent')?.total ?? 0
  const counts = new Map((ofMailbox ?? ofAllAccounts).map((row) => [row.folder, row]))
  const total = (folder: string) => counts.get(folder)?.total ?? 0
  return {
    unread_inbox: counts.get('inbox')?.unread ?? 0,
    drafts: total('drafts'),
    archived: total('archived'),
    trash: total('trash'),
    spam: total('spam'),
    inbox: total('inbox'),
    sent: total('sent'),
    scheduled: total('scheduled'),
    delivered: Math.max(0, sentByAll - unsent - tests),
  }
}
