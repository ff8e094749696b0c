import { sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'

/** How many mails of a thread are shown, the newest. */
const SHOWN_MAX = 200

/**
 * The newest mails of the thread that a mail belongs to, that mail first; without mails in the trash and deleted ones. Of a
 * mail that came to two accounts, one copy.
 */
export async function threadIds(
  db: Queryable,
  userId: number,
  mail: { id: number; thread_id: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT DISTINCT ON (coalesce(direction || message_id || digest, id::text)) id, occurred_at FROM emails
      WHERE user_id = ${userId} AND thread_id = ${mail.thread_id} AND (folder NOT IN ('trash', 'deleted') OR id = ${mail.id})
      ORDER BY coalesce(direction || message_id || digest, id::text), id = ${mail.id} DESC, folder = 'spam', id
    ) shown
    ORDER BY id = ${mail.id} DESC, occurred_at DESC, id DESC LIMIT ${SHOWN_MAX}`.execute(db)
  return rows.map((row) => row.id)
}
