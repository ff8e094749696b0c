import { plainAddress } from '#contract/platform/local-part.ts'
import { type Selectable, sql } from 'kysely'
import type { SessionsTable, UsersTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { hasRows, onlyRowOf } from '../../platform/database/rows.ts'

export type UserRow = Selectable<UsersTable>
export type SessionRow = Selectable<SessionsTable>

/** The live user with this id. */
export async function findUser(db: Queryable, userId: number): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * What a log-in checks of the live user with this address or user name, ignoring case and surrounding blanks. Nothing
 * else is read, so that the time reveals nothing about the size of the row.
 */
export async function findUserByLogin(
  db: Queryable,
  login: string,
): Promise<Pick<UserRow, 'id' | 'password_hash'> | undefined> {
  const key = plainAddress(login.trim()).toLowerCase()
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where((or) => or.or([or('email_key', '=', key), or('username_key', '=', key)]))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** True while no mail of the user leaves: it is paused, or the user is banned. The same as `mail_is_paused` in SQL. */
export function isMailPaused(user: Pick<UserRow, 'mail_paused_at' | 'is_active'>): boolean {
  return user.mail_paused_at !== null || !user.is_active
}

/** The live user with this address, ignoring case and surrounding blanks. */
export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email_key', '=', email.trim().toLowerCase())
    .where('deleted_at', 'is', null)
    .where('is_system', '=', false)
    .executeTakeFirst()
}

/** Whether any account, also a deleted one, has this address or this user name; both ignore case. */
export async function findTaken(db: Queryable, email: string, username: string) {
  return onlyRowOf<{ byEmail: boolean; byUsername: boolean }>(db)`
    SELECT EXISTS (SELECT FROM users WHERE email_key = ${email.trim().toLowerCase()}) AS "byEmail",
      EXISTS (SELECT FROM users WHERE username_key = ${username.trim().toLowerCase()}) AS "byUsername"`
}

export type NewUser = Omit<
  UserRow,
  | 'id'
  | 'is_admin'
  | 'is_active'
  | 'is_system'
  | 'deleted_at'
  | 'mail_paused_at'
  | 'purge_began_at'
  | 'pricing_tier'
  | 'currency'
  | 'country'
  | 'time_zone'
  | 'profile_image_url'
  | 'signature'
  | 'email_confirmed_at'
  | 'email_proved_at'
  | 'deletion_reason'
>

/** @throws a unique violation of users_email_key_key or users_username_key_key */
export async function addUser(db: Queryable, user: NewUser): Promise<UserRow> {
  return db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
}

export type UserChanges = Partial<Omit<UserRow, 'id' | 'created_at' | 'is_admin' | 'password_hash'>>

export async function changeUser(
  db: Queryable,
  userId: number,
  changes: UserChanges,
): Promise<UserRow | undefined> {
  if (Object.keys(changes).length === 0) return findUser(db, userId)
  return db.updateTable('users').set(changes).where('id', '=', userId).returningAll().executeTakeFirst()
}

export async function addSession(db: Queryable, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** Keeps the user's password from changing until the transaction ends; false where it is another one by now. */
export async function lockPassword(tx: Tx, userId: number, hash: string) {
  return hasRows(tx)`SELECT FROM users WHERE id = ${userId} AND password_hash = ${hash} FOR SHARE`
}

export async function setPassword(db: Queryable, userId: number, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
}

/** The user behind a session that is live at `now` and was last used after `usedAfter`. */
export async function findSessionUser(
  db: Queryable,
  userId: number,
  sessionId: string,
  now: Date,
  usedAfter: Date,
): Promise<(UserRow & { last_seen_at: Date }) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.last_seen_at')
    .where('sessions.user_id', '=', userId)
    .where('sessions.id', '=', sessionId)
    .where('sessions.audience', '=', 'user')
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', usedAfter)
    .where('users.deleted_at', 'is', null)
    .where('users.is_active', '=', true)
    .executeTakeFirst()
}

/** Somebody with the token of an administrator's session. */
export type AdminSession = {
  user: UserRow
  /** The account is one of an administrator, and neither closed nor deleted. */
  isAdmin: boolean
  isLive: boolean
  lastSeenAt: Date | null
}

/** Whose token it is and what they are at this moment, also after the session or the account has ended. */
export async function findAdminSession(
  db: Queryable,
  claims: { userId: number; sessionId: string },
  now: Date,
  usedAfter: Date,
): Promise<AdminSession | undefined> {
  const row = await db
    .selectFrom('users')
    .leftJoin('sessions', (join) =>
      join
        .onRef('sessions.user_id', '=', 'users.id')
        .on('sessions.id', '=', claims.sessionId)
        .on('sessions.audience', '=', 'admin'),
    )
    .selectAll('users')
    .select(['sessions.last_seen_at', 'sessions.expires_at', 'sessions.ended_at'])
    .where('users.id', '=', claims.userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { last_seen_at: lastSeenAt, expires_at: expiresAt, ended_at: endedAt, ...user } = row
  return {
    user,
    isAdmin: user.is_admin && user.is_active && user.deleted_at === null,
    isLive:
      lastSeenAt !== null &&
      expiresAt !== null &&
      endedAt === null &&
      expiresAt > now &&
      lastSeenAt > usedAfter,
    lastSeenAt,
  }
}

/** Administrators who can come in. */
export async function countAdministrators(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Makes a live user an administrator, or ends it. Undefined when it is so already, or there is no such user.
 *
 * @throws an error that `isLastAdministrator` tells
 */
export async function setAdministrator(db: Queryable, userId: number, isAdmin: boolean) {
  return db
    .updateTable('users')
    .set({ is_admin: isAdmin })
    .where('id', '=', userId)
    .where('is_admin', '!=', isAdmin)
    .where('deleted_at', 'is', null)
    .where('is_system', '=', false)
    .returningAll()
    .executeTakeFirst()
}

/** Sets the time zone of a user who has none. */
export async function setTimeZone(db: Queryable, userId: number, timeZone: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ time_zone: timeZone })
    .where('id', '=', userId)
    .where('time_zone', 'is', null)
    .execute()
}

export async function touchSession(db: Queryable, userId: number, sessionId: string, now: Date) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .execute()
}

export async function liveSessions(db: Queryable, userId: number, now: Date, usedAfter: Date) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('audience', '=', 'user')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', usedAfter)
    .orderBy('last_seen_at', 'desc')
    .limit(200)
    .execute()
}

const SETUP = sql.lit('what a user has set up')

/** Keeps the user's calls from changing anything until the transaction ends; waits for those that are under way. */
export async function lockSetup(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${SETUP}, ${userId}))`.execute(tx)
}

/** For a call that changes something: waits for {@link lockSetup}. False where the session has ended. */
export async function shareSetup(tx: Tx, userId: number, sessionId: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${SETUP}, ${userId}))`.execute(tx)
  return hasRows(tx)`
    SELECT FROM sessions WHERE user_id = ${userId} AND id = ${sessionId} AND ended_at IS NULL`
}

/** Ends one session; false when this user has no such live session. */
export async function endSession(db: Queryable, userId: number, sessionId: string, now: Date) {
  return hasRows(db)`
    UPDATE sessions SET ended_at = ${now}
    WHERE user_id = ${userId} AND id = ${sessionId} AND ended_at IS NULL RETURNING id`
}

/** Ends every live session of the user but one; all of them for null. Returns their ids. */
export async function endOtherSessions(db: Queryable, userId: number, keep: string | null, now: Date) {
  const ended = await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('id', '!=', keep ?? '')
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Ends what the user has open as an administrator. */
export async function endAdminSessions(db: Queryable, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('audience', '=', 'admin')
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Deletes the rows of sessions that are over at `now`; returns those that expired rather than being ended by
 * somebody.
 */
export async function removeSessions(
  db: Queryable,
  now: Date,
  usedAfter: Date,
): Promise<Pick<SessionRow, 'user_id' | 'id'>[]> {
  const { rows } = await sql<Pick<SessionRow, 'user_id' | 'id'> & { ended_at: Date | null }>`
    DELETE FROM sessions WHERE ended_at IS NOT NULL OR expires_at <= ${now} OR last_seen_at <= ${usedAfter}
    RETURNING user_id, id, ended_at`.execute(db)
  return rows.filter((row) => row.ended_at === null)
}

/** Users seen after `since`: their mailboxes are watched closely. */
export async function usersSeenSince(db: Queryable, since: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM sessions WHERE last_seen_at > ${since} AND ended_at IS NULL AND audience = 'user'`.execute(
    db,
  )
  return rows.map((row) => row.user_id)
}
