import type { ActivityType } from '#contract/accounts/activities.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { hasRows, idsOf, rowsOf } from '../../platform/database/rows.ts'

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
export async function isAnythingNoted(db: Queryable, types: readonly ActivityType[], since: Date) {
  return hasRows(db)`
    SELECT FROM unnest(${[...types]}::text[]) AS t(type) WHERE EXISTS (
      SELECT FROM activities a WHERE a.activity_type = t.type AND a.created_at > ${since}) LIMIT 1`
}

/** The newest entries of these kinds that came from an address. */
export async function entriesSince(db: Queryable, types: readonly ActivityType[], since: Date) {
  return rowsOf<LogEntry>(db)`
    SELECT a.activity_type AS type, a.user_id AS "userId", a.ip_address AS ip, a.description, a.created_at AS at
    FROM unnest(${[...types]}::text[]) AS t(type)
    CROSS JOIN LATERAL (
      SELECT * FROM activities a WHERE a.activity_type = t.type AND a.created_at > ${since}
      ORDER BY a.created_at DESC LIMIT ${READ_MAX}
    ) a
    WHERE a.ip_address IS NOT NULL`
}

export type SignedIn = { userId: number; ip: string; first: Date; last: Date }

/** Which users signed in from each of these addresses since then: for the first time, and for the last. */
export async function signedInFrom(db: Queryable, ips: readonly string[], since: Date) {
  return rowsOf<SignedIn>(db)`
    SELECT user_id AS "userId", ip_address AS ip, min(created_at) AS first, max(created_at) AS last FROM activities
    WHERE ip_address = ANY(${[...ips]}::text[]) AND created_at > ${since} AND user_id IS NOT NULL
      AND activity_type IN ('log_in', 'account_opened')
    GROUP BY 1, 2 LIMIT ${READ_MAX}`
}

/** When limits stopped calls of users since then, for users whom that happened to after `news`. */
export async function stoppedCalls(db: Queryable, since: Date, news: Date) {
  return rowsOf<{ userId: number; stopped: Date[] }>(db)`
    SELECT user_id AS "userId", array_agg(DISTINCT date_trunc('minute', created_at)) AS stopped FROM (
      SELECT user_id, created_at FROM activities WHERE activity_type = 'limit_reached' AND created_at > ${since}
        AND user_id IS NOT NULL
      ORDER BY created_at DESC LIMIT ${READ_MAX}) a
    GROUP BY 1 HAVING max(created_at) > ${news}`
}

/** Networks are made of addresses by the caller: where each account was opened since then. */
export async function openedAccounts(db: Queryable, since: Date) {
  return rowsOf<{ userId: number; ip: string; at: Date }>(db)`
    SELECT user_id AS "userId", ip_address AS ip, created_at AS at FROM activities
    WHERE activity_type = 'account_opened' AND created_at > ${since} AND user_id IS NOT NULL AND ip_address IS NOT NULL
    ORDER BY created_at DESC LIMIT ${READ_MAX}`
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
export async function unusedAmong(db: Queryable, userIds: readonly number[], until: Date) {
  if (userIds.length === 0) return new Set<number>()
  return new Set(
    await idsOf(db)`
    SELECT u.id FROM users u
    WHERE u.id = ANY(${[...userIds]}::bigint[]) AND u.created_at <= ${until} AND NOT u.is_admin
      AND NOT (
        EXISTS (SELECT FROM sending_days s WHERE s.user_id = u.id)
        OR EXISTS (SELECT FROM contacts c WHERE c.user_id = u.id)
        OR EXISTS (SELECT FROM activities a WHERE a.user_id = u.id AND (a.activity_type <> ALL(${[...IDLE]}::text[])
          OR a.activity_type = 'log_in' AND a.created_at > u.created_at + interval '20 hours')))`,
  )
}

type Friend = { inviterId: number; friendId: number; at: Date }

/** Friends of those for whom one has signed up after `news`, since then. */
export async function friendsOfInviters(db: Queryable, since: Date, news: Date) {
  return rowsOf<Friend>(db)`
    SELECT r.user_id AS "inviterId", r.friend_id AS "friendId", r.created_at AS at FROM referrals r
    WHERE r.created_at > ${since}
      AND r.user_id IN (SELECT user_id FROM referrals WHERE created_at > ${news})`
}

/** The network addresses from which these accounts were opened or signed in to. */
export async function addressesOf(db: Queryable, userIds: readonly number[]) {
  return rowsOf<{ userId: number; ip: string }>(db)`
    SELECT DISTINCT user_id AS "userId", ip_address AS ip FROM activities
    WHERE user_id = ANY(${[...userIds]}::bigint[]) AND activity_type IN ('account_opened', 'log_in')
      AND ip_address IS NOT NULL`
}

type Invitation = { userId: number; at: Date; hasFailed: boolean; isOpened: boolean }

/** Invitations since then, of users who invited somebody after `news`. */
export async function invitationsOf(db: Queryable, since: Date, news: Date) {
  return rowsOf<Invitation>(db)`
    SELECT user_id AS "userId", created_at AS at, failed_at IS NOT NULL AS "hasFailed",
      status IN ('opened', 'signed_up') AS "isOpened"
    FROM referral_invitations WHERE created_at > ${since}
      AND user_id IN (SELECT user_id FROM referral_invitations WHERE created_at > ${news})`
}

/** Those of these users who have not confirmed their address. */
export async function unconfirmedAmong(db: Queryable, userIds: readonly number[]): Promise<Set<number>> {
  return new Set(
    await idsOf(db)`
    SELECT id FROM users WHERE id = ANY(${[...userIds]}::bigint[]) AND email_confirmed_at IS NULL`,
  )
}
