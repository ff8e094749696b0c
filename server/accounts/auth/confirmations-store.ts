import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'

/**
 * Replaces the user's confirmation link by a new one, unless `max` were requested since `since`. Requests at the same
 * time wait for each other, so exactly one of them is the newest.
 *
 * @returns false over the limit; then the link in use stays good
 */
export async function replaceConfirmation(
  db: Queryable,
  link: { userId: number; signature: string; expiresAt: Date; now: Date; since: Date; max: number },
): Promise<boolean> {
  const { userId, signature, expiresAt, now, since, max } = link
  const { rows } = await sql`
    INSERT INTO email_confirmations AS c (user_id, signature, expires_at, requested_at)
    VALUES (${userId}, ${signature}, ${expiresAt}, ARRAY[${now}::timestamptz])
    ON CONFLICT (user_id) DO UPDATE SET signature = excluded.signature, expires_at = excluded.expires_at,
      requested_at = (SELECT coalesce(array_agg(at), '{}') FROM unnest(c.requested_at) AS at WHERE at > ${since})
        || ${now}::timestamptz
    WHERE (SELECT count(*) FROM unnest(c.requested_at) AS at WHERE at > ${since}) < ${max}::int
    RETURNING 1`.execute(db)
  return rows.length > 0
}

/** Whose link this is, if it is good at `now`. It stays good: whoever follows it twice reads the same answer. */
export async function findConfirmation(
  db: Queryable,
  signature: string,
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('email_confirmations')
    .select('user_id')
    .where('signature', '=', signature)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Notes that the user of the account reads its address; false if that was known before. */
export async function noteProved(db: Queryable, userId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ email_proved_at: now })
    .where('id', '=', userId)
    .where('email_proved_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks the user's address as confirmed; false if it was before. */
export async function noteConfirmed(db: Queryable, userId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ email_confirmed_at: now })
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
