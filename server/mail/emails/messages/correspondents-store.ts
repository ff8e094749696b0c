import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

const EVER = new Date(0)

/**
 * The addresses among these that have been mailed before, or have a mail on its way, other than those of `but`. A test to
 * oneself is no mail.
 */
export async function mailedAmong(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  but: readonly number[] = [],
): Promise<Set<string>> {
  return mailedSince(db, userId, keys, EVER, but)
}

/** The addresses among these that had a mail of the user's since then, or have one on its way, other than those of `but`. */
export async function mailedSince(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  since: Date,
  but: readonly number[] = [],
): Promise<Set<string>> {
  const asked = sql`(${[...keys]}::text[])`
  const { rows } = await sql<{ key: string }>`
    SELECT c.address_key AS key FROM correspondents c
    WHERE c.user_id = ${anyUser(userId)} AND c.address_key = ANY${asked} AND c.last_sent_at >= ${since}
    UNION
    SELECT e.correspondent_key FROM emails e JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
    WHERE e.user_id = ${anyUser(userId)} AND e.correspondent_key = ANY${asked} AND d.state <> 'failed'
      AND e.purpose IS DISTINCT FROM 'test' AND (d.state <> 'sent' OR e.occurred_at >= ${since})
      AND e.id <> ALL(${[...but]}::bigint[])`.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** The addresses among these that have replied since then, for the first time or again. */
export async function repliedSince(
  db: Queryable,
  userId: number,
  keys: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    SELECT address_key AS key FROM correspondents
    WHERE user_id = ${userId} AND address_key = ANY(${[...keys]}::text[]) AND replied_at IS NOT NULL
      AND greatest(replied_at, last_received_at) >= ${since}`.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Records that mail to an address bounced. */
export async function noteBounced(
  db: Queryable,
  userId: number,
  addressKey: string,
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO correspondents AS c (user_id, address_key, bounced_at) VALUES (${userId}, ${addressKey}, ${at})
    ON CONFLICT (user_id, address_key) DO UPDATE SET bounced_at = coalesce(c.bounced_at, excluded.bounced_at)
    `.execute(db)
}

/** True when the address has ever replied. */
export async function hasReplied(db: Queryable, userId: number, addressKey: string): Promise<boolean> {
  return (await correspondentOf(db, userId, addressKey))?.replied_at != null
}

/** What is known of an address; undefined if no mail went there or came from there. */
export async function correspondentOf(
  db: Queryable,
  userId: number,
  addressKey: string,
): Promise<{ last_sent_at: Date | null; replied_at: Date | null; bounced_at: Date | null } | undefined> {
  return db
    .selectFrom('correspondents')
    .select(['last_sent_at', 'replied_at', 'bounced_at'])
    .where('user_id', '=', userId)
    .where('address_key', '=', addressKey)
    .executeTakeFirst()
}
