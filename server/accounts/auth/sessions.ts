import { randomUUID } from 'node:crypto'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { unauthenticated } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { rememberPlace } from './guess-limit.ts'
import { type Audience, readToken, signToken } from '../../platform/security/tokens.ts'
import {
  addSession,
  findAdminSession,
  findSessionUser,
  lockPassword,
  setTimeZone,
  shareSetup,
  touchSession,
  type UserRow,
} from './store.ts'
import type { Origin } from '../../platform/http/origin.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** How long a session lasts however much it is used, when it ends unused (OWASP ASVS 5, 7.3.1), and what signs its token. */
const SESSIONS = {
  user: { lastsMs: 30 * DAY_MS, idleMs: 14 * DAY_MS, purpose: 'session tokens' },
  admin: { lastsMs: 8 * HOUR_MS, idleMs: HOUR_MS, purpose: 'admin session tokens' },
} as const
/** A session that ended in another process is still trusted for at most this long. */
const TRUST_MS = 1000
/** `last_seen_at` is written at most this often. */
const TOUCH_MS = 30_000
const REPLACED = 'The password was changed just now. Please log in with the new one.'
/** Remembered callers at most. */
const REMEMBER_MAX = 10_000

/** A live session was last used after this moment. */
export function idleSince(now: Date, audience: Audience = 'user'): Date {
  return new Date(now.getTime() - SESSIONS[audience].idleMs)
}

/**
 * Opens a session for the user, who has given the password of this row, and returns its bearer token. A user without a time zone gets that of the browser:
 * mails that no browser asks for (reminders) tell the time there.
 *
 * @throws Refusal 401 where the password has changed meanwhile
 */
export async function openSession(
  context: Context,
  user: UserRow,
  origin: Origin,
  audience: Audience = 'user',
): Promise<string> {
  const { lastsMs, purpose } = SESSIONS[audience]
  if (user.time_zone === null && origin.timeZone !== null)
    await setTimeZone(context.db, user.id, origin.timeZone)
  const now = context.clock.now()
  const expires = new Date(now.getTime() + lastsMs)
  const id = randomUUID()
  await inTransaction(context.db, async (tx) => {
    // A new password that is being set ends this session, or keeps it from being opened.
    if (!(await lockPassword(tx, user.id, user.password_hash))) throw unauthenticated(REPLACED)
    await addSession(tx, {
      user_id: user.id,
      id,
      audience,
      created_at: now,
      last_seen_at: now,
      expires_at: expires,
      ended_at: null,
      ip: origin.ip,
      user_agent: origin.userAgent,
    })
  })
  await rememberPlace(context, user, origin)
  await context.live.publish(context.db, user.id, { topic: 'account' })
  return signToken(
    context.secrets.keyFor(purpose),
    { userId: user.id, sessionId: id },
    now,
    expires,
    audience,
  )
}

/** The caller behind a bearer token; null when its session is not live. `fresh` asks the database in any case. */
export async function findCaller(
  context: Context,
  token: string,
  { fresh = false } = {},
): Promise<Caller | null> {
  const known = context.memory.callers
  const before = known.get(token)
  if (!fresh && before !== undefined && before.until > Date.now()) return before.caller

  const { callersForgotten } = context.memory
  const now = context.clock.now()
  const claims = await readToken(context.secrets.keyFor(SESSIONS.user.purpose), token, now)
  const user =
    claims === null
      ? undefined
      : await findSessionUser(context.db, claims.userId, claims.sessionId, now, idleSince(now))
  if (claims === null || user === undefined) {
    known.delete(token)
    return null
  }
  if (now.getTime() - user.last_seen_at.getTime() > TOUCH_MS)
    await touchSession(context.db, user.id, claims.sessionId, now)
  const caller = callerOf(user, claims.sessionId)
  // A session that ended during this look-up is not trusted any longer than for this call.
  if (context.memory.callersForgotten !== callersForgotten) return caller
  if (known.size >= REMEMBER_MAX) known.clear()
  known.set(token, { caller, until: Date.now() + TRUST_MS })
  return caller
}

/**
 * Who makes a call of administrators: `isAdmin` is false for a user's own token, and for somebody who is no administrator
 * any more. Null when the session is not live. Nothing is remembered: each call asks the database who is an administrator.
 */
export async function findAdministrator(
  context: Context,
  token: string,
): Promise<{ caller: Caller; isAdmin: boolean } | null> {
  const now = context.clock.now()
  const claims = await readToken(context.secrets.keyFor(SESSIONS.admin.purpose), token, now, 'admin')
  if (claims === null) {
    const caller = await findCaller(context, token)
    return caller && { caller, isAdmin: false }
  }
  const session = await findAdminSession(context.db, claims, now, idleSince(now, 'admin'))
  if (session === undefined) return null
  const { user, isAdmin, isLive, lastSeenAt } = session
  // Whoever was demoted or closed out reads why, although that has ended the session too.
  if (isAdmin && !isLive) return null
  if (isAdmin && now.getTime() - (lastSeenAt?.getTime() ?? 0) > TOUCH_MS)
    await touchSession(context.db, user.id, claims.sessionId, now)
  return { caller: callerOf(user, claims.sessionId), isAdmin }
}

function callerOf(user: UserRow, sessionId: string): Caller {
  const { id, email, name } = user
  return { id, sessionId, email, name, timeZone: user.time_zone ?? FALLBACK_ZONE }
}

/** True while the user's session is live: for what is opened by a link instead of the token. */
export async function isSessionLive(context: Context, userId: number, sessionId: string): Promise<boolean> {
  const now = context.clock.now()
  return (await findSessionUser(context.db, userId, sessionId, now, idleSince(now))) !== undefined
}

/**
 * Lets a call write whose session is live. A new password waits for such transactions before it ends the sessions and clears
 * what a stranger may have set up, and those that begin later wait for it: what is written after this comes before the
 * clearing, or not at all.
 *
 * @throws Refusal 401 where the session has ended
 */
export async function holdSession(tx: Tx, caller: Pick<Caller, 'id' | 'sessionId'>): Promise<void> {
  if (!(await shareSetup(tx, caller.id, caller.sessionId))) throw unauthenticated()
}

/** Forgets the remembered callers of a user: one of the user's sessions has ended. */
export function forgetCallers(context: Context, userId: number): void {
  context.memory.callersForgotten += 1
  const known = context.memory.callers
  for (const [token, { caller }] of known) if (caller.id === userId) known.delete(token)
}
