import { sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import { numberOf } from '../../../platform/database/rows.ts'

export type FolderCount = { folder: string; total: number; unread: number }

/** How many mails are in each folder, of all accounts or of one, and how many of them are unread. */
export async function folderCounts(
  db: Queryable,
  userId: number,
  mailboxId?: number,
): Promise<FolderCount[]> {
  const { rows } = await (
    mailboxId === undefined
      ? sql<FolderCount>`SELECT folder, total, unread FROM email_counts WHERE user_id = ${userId}`
      : sql<FolderCount>`
        SELECT folder, total, unread FROM email_mailbox_counts
        WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}`
  ).execute(db)
  return rows
}

/** How many mails in Sent have not been delivered: on their way, deferred, refused, or unsure. */
export async function countUnsent(db: Queryable, userId: number): Promise<number> {
  return numberOf(db)`
    SELECT coalesce(sum(unsent), 0)::bigint AS unsent FROM unsent_counts WHERE user_id = ${userId}
    `
}

/** How many tests to the user's own address are in Sent and have left. */
export async function countTests(db: Queryable, userId: number): Promise<number> {
  return numberOf(db)`
    SELECT count(*)::int AS tests FROM emails e
    JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id AND d.queue IS NULL
    WHERE e.user_id = ${userId} AND e.purpose = 'test' AND e.folder = 'sent'`
}

/** How many mails in an account's Sent folder have left since an instant, by Howl or another program. */
export const countSentSince = (db: Queryable, userId: number, mailboxId: number, since: Date) => numberOf(db)`
  SELECT count(*)::int AS sent FROM emails e
  LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
  WHERE e.user_id = ${userId} AND e.mailbox_id = ${mailboxId} AND e.folder = 'sent' AND e.direction = 'out'
    AND e.occurred_at >= ${since} AND coalesce(d.state, 'sent') = 'sent'`
