import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { UserRow } from './store.ts'
import { execute, hasRows, rowsOf } from '../../platform/database/rows.ts'

/**
 * Deletes an account: nobody can sign in to it, and its mail is paused. Waits for claims of its mail that are being made
 * at this moment.
 *
 * @returns undefined when it is deleted already
 */
export async function markDeleted(tx: Tx, userId: number, now: Date, reason: string | null) {
  return tx
    .updateTable('users')
    .set({ deleted_at: now, mail_paused_at: now, deletion_reason: reason })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('is_system', '=', false)
    .returningAll()
    .executeTakeFirst()
}

/** The deleted account with this address, ignoring case and surrounding blanks. */
export async function findDeleted(db: Queryable, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email_key', '=', email.trim().toLowerCase())
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
}

/** Restores an account that was deleted after `since`. Its mail stays paused. Undefined when it is too late. */
export async function unmarkDeleted(tx: Tx, userId: number, since: Date): Promise<UserRow | undefined> {
  return tx
    .updateTable('users')
    .set({ deleted_at: null, deletion_reason: null })
    .where('id', '=', userId)
    .where('deleted_at', '>', since)
    .where('purge_began_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Ends the pause of a user's mail. False when there was none, or the account is deleted. */
export async function endMailPause(tx: Tx, userId: number) {
  return hasRows(tx)`
    UPDATE users SET mail_paused_at = NULL
    WHERE id = ${userId} AND deleted_at IS NULL AND mail_paused_at IS NOT NULL RETURNING id`
}

/**
 * After a restore: pauses the mail of every user, and ends what was good for a while. A session that was signed out since the
 * backup, or a code that was used, must not be good again.
 *
 * @returns the users whose mail can be resumed
 */
export async function pauseAllMail(tx: Tx, now: Date): Promise<number[]> {
  await sql`DELETE FROM sessions`.execute(tx)
  await sql`DELETE FROM password_resets`.execute(tx)
  await sql`UPDATE bans SET appeal_signature = NULL, appeal_until = NULL WHERE appeal_signature IS NOT NULL`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number; deleted: boolean }>`
    UPDATE users SET mail_paused_at = coalesce(mail_paused_at, ${now}) WHERE NOT is_system
    RETURNING id, deleted_at IS NOT NULL AS deleted`.execute(tx)
  return rows.flatMap(({ id, deleted }) => (deleted ? [] : [id]))
}

/** The users of a database that are deleted, or are being removed, after an id; for another database. */
export async function deletedUsersAfter(db: Queryable, after: number, limit: number) {
  return db
    .selectFrom('users')
    .select(['id', 'deletion_reason', sql<Date>`deleted_at`.as('deleted_at')])
    .where('deleted_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Users after an id with the time at which each account was opened: by both together an account is known again. */
export async function usersAfter(db: Queryable, after: number, limit: number) {
  return db
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where('id', '>', after)
    .where('is_system', '=', false)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Those of these users that a database has. */
export async function knownUsers(db: Queryable, users: readonly { id: number; created_at: Date }[]) {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM unnest(${users.map(({ id }) => id)}::bigint[], ${users.map((user) => user.created_at)}::timestamptz[])
      AS asked(id, created_at)
    JOIN users u ON u.id = asked.id AND date_trunc('milliseconds', u.created_at) = date_trunc('milliseconds', asked.created_at)`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Deletes accounts again that were deleted after the backup. The last administrator stays. Returns how many. */
export async function deleteAgain(
  tx: Tx,
  users: readonly { id: number; deleted_at: Date; deletion_reason: string | null }[],
): Promise<number> {
  return execute(tx)`
    UPDATE users u SET deleted_at = d.deleted_at, mail_paused_at = coalesce(u.mail_paused_at, d.deleted_at),
      deletion_reason = d.deletion_reason
    FROM json_to_recordset(${JSON.stringify(users)}::json) AS d(id bigint, deleted_at timestamptz, deletion_reason text)
    WHERE u.id = d.id AND u.deleted_at IS NULL AND NOT u.is_admin`
}

/** Accounts that were deleted before `before`, the longest ago first; none of them can be restored any more. */
export async function beginPurges(db: Queryable, before: Date, now: Date, limit: number) {
  return rowsOf<Pick<UserRow, 'id' | 'email' | 'email_key' | 'name' | 'username'>>(db)`
    UPDATE users u SET purge_began_at = coalesce(u.purge_began_at, ${now})
    FROM (SELECT id FROM users WHERE deleted_at <= ${before} ORDER BY deleted_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
    WHERE u.id = due.id RETURNING u.id, u.email, u.email_key, u.name, u.username`
}

/** Removes an account and the rows that still belong to it. */
export async function removeUser(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).where('purge_began_at', 'is not', null).execute()
}
