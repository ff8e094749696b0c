import { sql } from 'kysely'
import { type ListedEmail, listed } from '../messages/store.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** Mails from and to one address that are older than a time and id, newest first. */
export async function correspondenceRows(
  db: Queryable,
  userId: number,
  addressKey: string,
  before: { at: Date; id: number },
  limit: number,
): Promise<ListedEmail[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM emails
    WHERE user_id = ${userId} AND correspondent_key = ${addressKey} AND folder <> 'deleted'
      AND occurred_at <= ${before.at} AND (occurred_at, id) < (${before.at}, ${before.id})
    ORDER BY occurred_at DESC, id DESC LIMIT ${limit}`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  return listed(db)
    .where('emails.user_id', '=', userId)
    .where('emails.id', 'in', ids)
    .orderBy('emails.occurred_at', 'desc')
    .orderBy('emails.id', 'desc')
    .execute()
}
