import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { rowsOf } from '../../../platform/database/rows.ts'

/** A reply that a language model is asked about; `tries` counts this one. */
export type UnsureReply = { userId: number; emailId: number; queuedAt: Date; tries: number }

/** Queues replies that the rules did not understand, where their user wants a language model to read them. */
export async function queueUnsureReplies(
  tx: Tx,
  userId: number,
  emailIds: readonly number[],
  now: Date,
): Promise<void> {
  if (emailIds.length === 0) return
  await sql`
    INSERT INTO unsure_replies (user_id, email_id, queued_at, next_try_at, tries)
    SELECT ${userId}::bigint, id, ${now}::timestamptz, ${now}::timestamptz, 0 FROM unnest(${[...emailIds]}::bigint[]) id
    WHERE EXISTS (SELECT FROM writing_settings WHERE user_id = ${userId} AND reads_replies)
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Reserves one due reply each of some users until `freeAt`: if whoever asks dies, it is asked about again after that. Parallel
 * workers never get the same one.
 */
export async function claimUnsureReplies(
  db: Queryable,
  { now, freeAt, limit }: { now: Date; freeAt: Date; limit: number },
): Promise<UnsureReply[]> {
  return rowsOf<UnsureReply>(db)`
    UPDATE unsure_replies u SET next_try_at = ${freeAt}, tries = u.tries + 1
    FROM (SELECT DISTINCT ON (user_id) user_id, email_id FROM (
        SELECT user_id, email_id, next_try_at FROM unsure_replies
        WHERE next_try_at <= ${now} AND NOT mail_is_paused(user_id) ORDER BY next_try_at LIMIT 1000) due
      ORDER BY user_id, next_try_at LIMIT ${limit}) chosen
    WHERE u.user_id = chosen.user_id AND u.email_id = chosen.email_id AND u.next_try_at <= ${now}
    RETURNING u.user_id AS "userId", u.email_id AS "emailId", u.queued_at AS "queuedAt", u.tries`
}

export async function putOffUnsureReply(
  db: Queryable,
  { userId, emailId, tries }: Pick<UnsureReply, 'userId' | 'emailId' | 'tries'>,
  until: Date,
): Promise<void> {
  await sql`
    UPDATE unsure_replies SET next_try_at = ${until}, tries = ${tries}
    WHERE user_id = ${userId} AND email_id = ${emailId}`.execute(db)
}

export async function removeUnsureReply(
  db: Queryable,
  { userId, emailId }: Pick<UnsureReply, 'userId' | 'emailId'>,
): Promise<void> {
  await sql`DELETE FROM unsure_replies WHERE user_id = ${userId} AND email_id = ${emailId}`.execute(db)
}

/** Forgets what is queued for a user, who does not want it any more. */
export async function removeUnsureReplies(db: Queryable, userId: number): Promise<void> {
  await db.deleteFrom('unsure_replies').where('user_id', '=', userId).execute()
}

/**
 * Writes the intent of a reply that still has none that is clear.
 *
 * @returns the addresses that it answers for: the sender's, and that of the only recipient of our mail. Empty if it has a clear
 * intent by now
 */
export async function labelUnsureReply(
  tx: Tx,
  { userId, emailId }: Pick<UnsureReply, 'userId' | 'emailId'>,
  intent: string,
): Promise<string[]> {
  const rows = await rowsOf<{ key: string }>(tx)`
    WITH labelled AS (
      UPDATE emails SET intent = ${intent} WHERE user_id = ${userId} AND id = ${emailId} AND intent = 'other'
      RETURNING user_id, correspondent_key, in_reply_to
    )
    SELECT correspondent_key AS key FROM labelled WHERE correspondent_key <> ''
    UNION SELECT o.correspondent_key FROM labelled l
    JOIN emails o ON o.user_id = l.user_id AND o.message_id = l.in_reply_to AND o.direction = 'out' AND o.correspondent_key <> ''
    JOIN deliveries d ON d.user_id = o.user_id AND d.email_id = o.id AND cardinality(d.recipients) = 1`
  return rows.map(({ key }) => key)
}
