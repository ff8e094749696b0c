import { sql } from 'kysely'
import { MIME_COLUMNS } from '../content/render-mime-store.ts'
import type { MailToRender } from '../content/render-mime.ts'
import type { WrittenMail } from '../messages/sent-copies.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { rowsOf } from '../../../platform/database/rows.ts'

/** A sent message that is not in the Sent folder yet, with everything needed to render it again. */
export type Unfiled = MailToRender & WrittenMail & { sentAt: Date }

/**
 * An account's messages that were sent before `before` and are not in its Sent folder, oldest first. Those that were put
 * aside are left out until they are due.
 */
export async function unfiledMails(
  db: Queryable,
  userId: number,
  mailboxId: number,
  before: Date,
  limit: number,
  now: Date,
): Promise<Unfiled[]> {
  return rowsOf<Unfiled>(db)`
    SELECT d.user_id AS "userId", d.email_id AS "emailId", d.recipients, ${MIME_COLUMNS}, d.settled_at AS "sentAt",
      d.settled_at AS "leftAt", e.correspondent_key AS "correspondentKey", b.files
    FROM deliveries d
    JOIN emails e ON e.user_id = d.user_id AND e.id = d.email_id
    JOIN email_bodies b ON b.user_id = d.user_id AND b.email_id = d.email_id
    WHERE d.user_id = ${userId} AND d.mailbox_id = ${mailboxId} AND d.state = 'sent' AND NOT d.in_sent_folder
      AND d.settled_at <= ${before}
      AND NOT EXISTS (SELECT FROM mailbox_troubles t WHERE t.user_id = d.user_id AND t.mailbox_id = d.mailbox_id
        AND t.kind = 'sent_copy' AND t.email_id = d.email_id AND t.next_try_at > ${now})
    ORDER BY d.email_id LIMIT ${limit}`
}

/** Records that messages are in the Sent folder. */
export async function markInSent(db: Queryable, userId: number, emailIds: readonly number[]): Promise<void> {
  await sql`UPDATE deliveries SET in_sent_folder = true
    WHERE user_id = ${userId} AND email_id = ANY(${[...emailIds]}::bigint[])`.execute(db)
}
