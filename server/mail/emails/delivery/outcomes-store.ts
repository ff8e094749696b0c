import { sql } from 'kysely'
import type { DeliveryState, EmailFolder } from '../tables.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** A mail's folder, its delivery, and the mail that it was sent as if it was a draft. */
export type MailState = {
  messageId: string
  mailboxId: number | null
  folder: EmailFolder
  state: DeliveryState | null
  reason: string | null
  settledAt: Date | null
  sentAs: number | null
}

/** These mails by id; those that do not exist are left out. */
export async function mailStates(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, MailState>> {
  const { rows } = await sql<MailState & { id: number }>`
    SELECT e.id, e.folder, e.message_id AS "messageId", e.mailbox_id AS "mailboxId", d.state, d.reason,
      d.settled_at AS "settledAt", c.sent_as AS "sentAs"
    FROM emails e
    LEFT JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
    LEFT JOIN compositions c ON c.user_id = e.user_id AND c.email_id = e.id
    WHERE e.user_id = ${userId} AND e.id = ANY(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
