import type { Queryable } from '../../platform/database/handles.ts'
import { hasRows } from '../../platform/database/rows.ts'

/**
 * Replaces the user's confirmation link by a new one, unless `max` were requested since `since`. Requests at the same
 * time wait for each other, so exactly one of them is the newest.
 *
 * @returns false over the limit; then the link in use stays good
 */
export async function replaceConfirmation(
  db: Queryable,
  link: { userId: number; signature: string; expiresAt: Date; now: Date; since: Date; max: number },
) {
  const { userId, signature, expiresAt, now, since, max } = link
  return hasRows(db)`
    INSERT INTO email_confirmations AS c (user_id, signature, expires_at, requested_at)
    VALUES (${userId}, ${signature}, ${expiresAt}, ARRAY[${now}::timestamptz])
    ON CONFLICT (user_id) DO UPDATE SET signature = excluded.signature, expires_at = excluded.expires_at,
      requested_at = (SELECT coalesce(array_agg(at), '{}') FROM unnest(c.requested_at) AS at WHERE at > ${since})
        || ${now}::timestamptz
    WHERE (SELECT count(*) FROM unnest(c.requested_at) AS at WHERE at > ${since}) < ${max}::int
    RETURNING 1`
}

/** Whose link this is, if it is good at `now`. It stays good: whoever follows it twice reads the same answer. */
export async function findConfirmation(db: Queryable, signature: string, now: Date) {
  const row = await db
    .selectFrom('email_confirmations')
    .select('user_id')
    .where('signature', '=', signature)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Notes that the user of the account reads its address; false if that was known before. */
export async function noteProved(db: Queryable, userId: number, now: Date) {
  return hasRows(db)`
    UPDATE users SET email_proved_at = ${now} WHERE id = ${userId} AND email_proved_at IS NULL RETURNING id`
}

/** Marks the user's address as confirmed; false if it was before. */
export async function noteConfirmed(db: Queryable, userId: number, now: Date) {
  return hasRows(db)`
    UPDATE users SET email_confirmed_at = ${now} WHERE id = ${userId} AND email_confirmed_at IS NULL RETURNING id`
}
