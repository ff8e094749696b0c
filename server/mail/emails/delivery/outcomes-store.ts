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
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('emails')
    .leftJoin('deliveries', (join) =>
      join.onRef('deliveries.user_id', '=', 'emails.user_id').onRef('deliveries.email_id', '=', 'emails.id'),
    )
    .leftJoin('compositions', (join) =>
      join
        .onRef('compositions.user_id', '=', 'emails.user_id')
        .onRef('compositions.email_id', '=', 'emails.id'),
    )
    .select([
      'emails.id',
      'emails.folder',
      'emails.message_id as messageId',
      'emails.mailbox_id as mailboxId',
      'deliveries.state',
      'deliveries.reason',
      'deliveries.settled_at as settledAt',
      'compositions.sent_as as sentAs',
    ])
    .where('emails.user_id', '=', userId)
    .where('emails.id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
