import { sql } from 'kysely'
import type { ActivityType } from '#contract/accounts/activities.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/** Entries of the activity log that are read at once. */
const READ_MAX = 20_000

export type LogEntry = {
  type: ActivityType
  userId: number | null
  ip: string
  description: string
  at: Date
}

/** Whether anything of these kinds was noted since then. */
export async function isAnythingNoted(
  db: Queryable,
  types: readonly ActivityType[],
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM unnest(${[...types]}::text[]) AS t(type) WHERE EXISTS (
      SELECT FROM activities a WHERE a.activity_type = t.type AND a.created_at > ${since}) LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

/** The newest entries of these kinds that came from an address. */
export async function entriesSince(
  db: Queryable,
  types: readonly ActivityType[],
  since: Date,
): Promise<LogEntry[]> {
  const { rows } = await sql<LogEntry>`
    SELECT a.activity_type AS type, a.user_id AS "userId", a.ip_address AS ip, a.description, a.created_at AS at
    FROM unnest(${[...types]}::text[]) AS t(type)
    CROSS JOIN LATERAL (
      SELECT * FROM activities a WHERE a.activity_type = t.type AND a.created_at > ${since}
      ORDER BY a.created_at DESC LIMIT ${READ_MAX}
    ) a
    WHERE a.ip_address IS NOT NULL`.execute(db)
  return rows
}

export type SignedIn = { userId: number; ip: string; first: Date; last: Date }

/** Which users signed in from each of these addresses since then: for the first time, and for the last. */
export async function signedInFrom(db: Queryable, ips: readonly string[], since: Date): Promise<SignedIn[]> {
  const { rows } = await sql<SignedIn>`
    SELECT user_id AS "userId", ip_address AS ip, min(created_at) AS first, max(created_at) AS last FROM activities
    WHERE ip_address = ANY(${[...ips]}::text[]) AND created_at > ${since} AND user_id IS NOT NULL
      AND activity_type IN ('log_in', 'account_opened')
    GROUP BY 1, 2 LIMIT ${READ_MAX}`.execute(db)
  return rows
}

/** When limits stopped calls of users since then, for users whom that happened to after `news`. */
export async function stoppedCalls(
  db: Queryable,
  since: Date,
  news: Date,
): Promise<{ userId: number; stopped: Date[] }[]> {
  const { rows } = await sql<{ userId: number; stopped: Date[] }>`
    SELECT user_id AS "userId", array_agg(DISTINCT date_trunc('minute', created_at)) AS stopped FROM (
      SELECT user_id, created_at FROM activities WHERE activity_type = 'limit_reached' AND created_at > ${since}
        AND user_id IS NOT NULL
      ORDER BY created_at DESC LIMIT ${READ_MAX}) a
    GROUP BY 1 HAVING max(created_at) > ${news}`.execute(db)
  return rows
}

/** Networks are made of addresses by the caller: where each account was opened since then. */
export async function openedAccounts(
  db: Queryable,
  since: Date,
): Promise<{ userId: number; ip: string; at: Date }[]> {
  const { rows } = await sql<{ userId: number; ip: string; at: Date }>`
    SELECT user_id AS "userId", ip_address AS ip, created_at AS at FROM activities
    WHERE activity_type = 'account_opened' AND created_at > ${since} AND user_id IS NOT NULL AND ip_address IS NOT NULL
    ORDER BY created_at DESC LIMIT ${READ_MAX}`.execute(db)
  return rows
}

/** What says that somebody works with an account, and does not only hold it. */
const IDLE: readonly ActivityType[] = [
  'account_opened',
  'email_confirmed',
  'log_in',
  'log_in_failed',
  'log_out',
  'password_reset_requested',
  'limit_reached',
  'refused',
]

/**
 * Of these accounts, opened before `until`, those with which nothing was ever done: no mail, no contact, no setting, and no
 * log-in on another day. Whether an address is confirmed says nothing of an account that somebody works with: without system
 * mail nobody gets the link.
 */
export async function unusedAmong(
  db: Queryable,
  userIds: readonly number[],
  until: Date,
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u
    WHERE u.id = ANY(${[...userIds]}::bigint[]) AND u.created_at <= ${until} AND NOT u.is_admin
      AND NOT (
        EXISTS (SELECT FROM sending_days s WHERE s.user_id = u.id)
        OR EXISTS (SELECT FROM contacts c WHERE c.user_id = u.id)
        OR EXISTS (SELECT FROM activities a WHERE a.user_id = u.id AND (a.activity_type <> ALL(${[...IDLE]}::text[])
          OR a.activity_type = 'log_in' AND a.created_at > u.created_at + interval '20 hours')))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
