import { sql } from 'kysely'
import type { Queryable, Tx } from '../database/handles.ts'
import type { UserRow } from './store.ts'

/**
 * Deletes an account: nobody can sign in to it, and its mail is paused. Waits for claims of its mail that are being made
 * at this moment.
 *
 * @returns undefined when it is deleted already
 */
export async function markDeleted(tx: Tx, userId: number, now: Date): Promise<UserRow | undefined> {
  return tx
    .updateTable('users')
    .set({ deleted_at: now, mail_paused_at: now })
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
    .set({ deleted_at: null })
    .where('id', '=', userId)
    .where('deleted_at', '>', since)
    .where('purge_began_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Ends the pause of a user's mail. False when there was none, or the account is deleted. */
export async function endMailPause(tx: Tx, userId: number): Promise<boolean> {
  const changed = await tx
    .updateTable('users')
    .set({ mail_paused_at: null })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('mail_paused_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Accounts that were deleted before `before`, the longest ago first; none of them can be restored any more. */
export async function beginPurges(
  db: Queryable,
  before: Date,
  now: Date,
  limit: number,
): Promise<Pick<UserRow, 'id' | 'email' | 'email_key' | 'name' | 'username'>[]> {
  const { rows } = await sql<Pick<UserRow, 'id' | 'email' | 'email_key' | 'name' | 'username'>>`
    UPDATE users u SET purge_began_at = coalesce(u.purge_began_at, ${now})
    FROM (SELECT id FROM users WHERE deleted_at <= ${before} ORDER BY deleted_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) due
    WHERE u.id = due.id RETURNING u.id, u.email, u.email_key, u.name, u.username`.execute(db)
  return rows
}

/** Removes an account and the rows that still belong to it. */
export async function removeUser(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).where('purge_began_at', 'is not', null).execute()
}
