import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/handles.ts'

/**
 * Purges the content of deleted mails whose time has come. Sender and recipients stay, for the links in sent mails and for
 * copies of the mail that may turn up again.
 *
 * @returns how many were purged, and the blobs that nothing refers to once this is committed
 */
export async function purgeContent(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ purged: number; blobs: string[] }> {
  const { rows } = await sql<{ user_id: number; id: number }>`
    UPDATE emails e SET purge_at = NULL, subject = '', snippet = '', attachment_names = '{}', has_body = false
    FROM (
      SELECT user_id, id FROM emails WHERE purge_at <= ${now} AND folder = 'deleted'
      ORDER BY purge_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ) due
    WHERE e.user_id = due.user_id AND e.id = due.id
    RETURNING e.user_id, e.id`.execute(tx)
  if (rows.length === 0) return { purged: 0, blobs: [] }
  const users = rows.map(({ user_id: userId }) => userId)
  const ids = rows.map(({ id }) => id)
  const bodies = await sql<{ key: string | null }>`
    DELETE FROM email_bodies b USING unnest(${users}::bigint[], ${ids}::bigint[]) AS p(user_id, id)
    WHERE b.user_id = p.user_id AND b.email_id = p.id RETURNING b.raw_key AS key`.execute(tx)
  await sql`
    DELETE FROM email_search s USING unnest(${users}::bigint[], ${ids}::bigint[]) AS p(user_id, id)
    WHERE s.user_id = p.user_id AND s.email_id = p.id`.execute(tx)
  await sql`
    DELETE FROM email_files f USING unnest(${users}::bigint[], ${ids}::bigint[]) AS p(user_id, id)
    WHERE f.user_id = p.user_id AND f.email_id = p.id`.execute(tx)
  await sql`
    UPDATE compositions c SET own_text = NULL, own_html = NULL FROM unnest(${users}::bigint[], ${ids}::bigint[]) AS p(user_id, id)
    WHERE c.user_id = p.user_id AND c.email_id = p.id`.execute(tx)
  return { purged: rows.length, blobs: bodies.rows.flatMap(({ key }) => (key === null ? [] : [key])) }
}

/** Deletes actions that were given up before `before`. */
export async function deleteOldActions(tx: Tx, before: Date): Promise<void> {
  await sql`DELETE FROM pending_actions WHERE given_up_at < ${before}`.execute(tx)
}
