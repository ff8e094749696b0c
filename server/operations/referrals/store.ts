import { sql } from 'kysely'
import { CREDITS_PER_FRIEND, type InvitationStatus } from '#contract/operations/referrals.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { changeRow, hasRows, numberOf, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export async function findCode(db: Queryable, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('referral_codes')
    .select('code')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.code
}

/** Gives the user this code unless there is one already. @throws a unique violation of referral_codes_code */
export async function addCode(db: Queryable, userId: number, code: string): Promise<void> {
  await db
    .insertInto('referral_codes')
    .values({ user_id: userId, code })
    .onConflict((on) => on.column('user_id').doNothing())
    .execute()
}

/** Invitations of one user wait for each other, so that the limits hold. */
export async function lockInvitations(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT FROM referral_codes WHERE user_id = ${userId} FOR UPDATE`.execute(tx)
}

/** How many of the user's invitations since `since` have not failed. */
export async function invitationsSince(db: Queryable, userId: number, since: Date) {
  return numberOf(db)`
    SELECT count(*)::int AS count FROM referral_invitations
    WHERE user_id = ${userId} AND created_at > ${since} AND failed_at IS NULL`
}

/** True if both addresses lead to the same mailbox, whatever tags or dots they have. */
export async function isSameInbox(db: Queryable, one: string, other: string): Promise<boolean> {
  const row = await rowOf<{ same: boolean }>(db)`
    SELECT inbox_key(${one}) = inbox_key(${other}) AS same`
  return row?.same ?? false
}

/** True if the owner of this mailbox has a live account. */
export async function hasAccount(db: Queryable, email: string) {
  return hasRows(db)`
    SELECT 1 FROM users WHERE inbox_key(email_key) = inbox_key(${email}) AND deleted_at IS NULL LIMIT 1`
}

export type NewInvitation = {
  userId: number
  email: string
  message: string | null
  tokenSignature: string
  now: Date
  /** An invitation of the same mailbox after this is not renewed. */
  renewBefore: Date
}

/**
 * Stores an invitation, or renews the one of the same mailbox.
 *
 * @returns its id; or why there is none: the friend has joined, or was invited a short while ago
 */
export async function saveInvitation(
  tx: Tx,
  invitation: NewInvitation,
): Promise<{ id: number } | 'joined' | 'invited'> {
  const { userId, email, message, tokenSignature, now, renewBefore } = invitation
  const { rows } = await sql<{ id: number }>`
    INSERT INTO referral_invitations AS i (user_id, email, inbox, personal_message, token_signature, created_at)
    VALUES (${userId}, ${email}, inbox_key(${email}), ${message}, ${tokenSignature}, ${now})
    ON CONFLICT (user_id, inbox) DO UPDATE SET email = excluded.email, personal_message = excluded.personal_message,
      token_signature = excluded.token_signature, created_at = excluded.created_at, status = 'pending',
      mail_id = NULL, failed_at = NULL
    WHERE i.status <> 'signed_up' AND (i.failed_at IS NOT NULL OR i.created_at <= ${renewBefore})
    RETURNING id`.execute(tx)
  if (rows[0] !== undefined) return rows[0]
  const found = await sql<{ status: InvitationStatus }>`
    SELECT status FROM referral_invitations WHERE user_id = ${userId} AND inbox = inbox_key(${email})`.execute(
    tx,
  )
  return found.rows[0]?.status === 'signed_up' ? 'joined' : 'invited'
}

export const setInvitationMail = (tx: Tx, userId: number, id: number, mailId: number) =>
  changeRow(tx, 'referral_invitations', userId, id, { mail_id: mailId })

/** The invitation's link was opened in a browser. Returns whose invitation it is; undefined if nothing has changed. */
export async function noteOpened(db: Queryable, tokenSignature: string): Promise<number | undefined> {
  const row = await rowOf<{ user_id: number }>(db)`
    UPDATE referral_invitations SET status = 'opened', failed_at = NULL
    WHERE token_signature = ${tokenSignature} AND status IN ('pending', 'sent') RETURNING user_id`
  return row?.user_id
}

export type ReferralCounts = { invitations: number; joined: number; friends: number }

/** How many were invited, how many of them joined, and how many friends joined in all. */
export async function countReferrals(db: Queryable, userId: number) {
  return onlyRowOf<ReferralCounts>(db)`
    SELECT count(*) FILTER (WHERE failed_at IS NULL)::int AS invitations,
      count(*) FILTER (WHERE status = 'signed_up')::int AS joined,
      (SELECT count(*)::int FROM referrals WHERE user_id = ${userId}) AS friends
    FROM referral_invitations WHERE user_id = ${userId}`
}

export type ActivityRow = {
  /** Null if the friend came without an invitation and has left since. */
  email: string | null
  invited: boolean
  created_at: Date
  status: InvitationStatus
  credits_earned: number
  failed: boolean
}

/** The user's newest invitations and friends. */
export async function recentActivity(db: Queryable, userId: number, limit: number) {
  return rowsOf<ActivityRow>(db)`
    (SELECT i.email, true AS invited, coalesce(r.created_at, i.created_at) AS created_at, i.status,
       CASE WHEN r.user_id IS NULL THEN 0 ELSE ${CREDITS_PER_FRIEND}::int END AS credits_earned,
       i.failed_at IS NOT NULL AS failed
     FROM referral_invitations i LEFT JOIN referrals r ON r.user_id = i.user_id AND r.invitation_id = i.id
     WHERE i.user_id = ${userId}
     ORDER BY 3 DESC LIMIT ${limit})
    UNION ALL
    (SELECT u.email, false, r.created_at, 'signed_up', ${CREDITS_PER_FRIEND}::int, false
     FROM referrals r LEFT JOIN users u ON u.id = r.friend_id AND u.deleted_at IS NULL
     WHERE r.user_id = ${userId} AND r.invitation_id IS NULL
     ORDER BY r.created_at DESC LIMIT ${limit})
    ORDER BY created_at DESC LIMIT ${limit}`
}
