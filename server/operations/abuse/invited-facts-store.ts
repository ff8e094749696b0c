import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'

export type Friend = { inviterId: number; friendId: number; at: Date }

/** Friends of those for whom one has signed up after `news`, since then. */
export async function friendsOfInviters(db: Queryable, since: Date, news: Date): Promise<Friend[]> {
  const { rows } = await sql<Friend>`
    SELECT r.user_id AS "inviterId", r.friend_id AS "friendId", r.created_at AS at FROM referrals r
    WHERE r.created_at > ${since}
      AND r.user_id IN (SELECT user_id FROM referrals WHERE created_at > ${news})`.execute(db)
  return rows
}

/** The network addresses from which these accounts were opened or signed in to. */
export async function addressesOf(
  db: Queryable,
  userIds: readonly number[],
): Promise<{ userId: number; ip: string }[]> {
  const { rows } = await sql<{ userId: number; ip: string }>`
    SELECT DISTINCT user_id AS "userId", ip_address AS ip FROM activities
    WHERE user_id = ANY(${[...userIds]}::bigint[]) AND activity_type IN ('account_opened', 'log_in')
      AND ip_address IS NOT NULL`.execute(db)
  return rows
}

export type Invitation = { userId: number; at: Date; hasFailed: boolean; isOpened: boolean }

/** Invitations since then, of users who invited somebody after `news`. */
export async function invitationsOf(db: Queryable, since: Date, news: Date): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    SELECT user_id AS "userId", created_at AS at, failed_at IS NOT NULL AS "hasFailed",
      status IN ('opened', 'signed_up') AS "isOpened"
    FROM referral_invitations WHERE created_at > ${since}
      AND user_id IN (SELECT user_id FROM referral_invitations WHERE created_at > ${news})`.execute(db)
  return rows
}

/** Those of these users who have not confirmed their address. */
export async function unconfirmedAmong(db: Queryable, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM users WHERE id = ANY(${[...userIds]}::bigint[]) AND email_confirmed_at IS NULL`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
