import { randomUUID } from 'node:crypto'
import { FALLBACK_ZONE } from '#contract/values.ts'
import type { Context } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { rememberPlace } from './guess-limit.ts'
import { readToken, signToken } from '../security/tokens.ts'
import { addSession, findSessionUser, setTimeZone, touchSession, type UserRow } from './store.ts'
import type { Origin } from '../http/origin.ts'

/** A session ends after this many days, however much it is used. */
const SESSION_DAYS = 30
/** An unused session ends after this many days (OWASP ASVS 5, 7.3.1). */
const IDLE_DAYS = 14
/** A session that ended in another process is still trusted for at most this long. */
const TRUST_MS = 1000
/** `last_seen_at` is written at most this often. */
const TOUCH_MS = 30_000
/** Remembered callers at most. */
const REMEMBER_MAX = 10_000

const KEY_PURPOSE = 'session tokens'

/** A live session was last used after this moment. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_DAYS * 86_400_000)
}

/**
 * Opens a session for the user and returns its bearer token. A user without a time zone gets that of the browser:
 * mails that no browser asks for (reminders) tell the time there.
 */
export async function openSession(context: Context, user: UserRow, origin: Origin): Promise<string> {
  if (user.time_zone === null && origin.timeZone !== null)
    await setTimeZone(context.db, user.id, origin.timeZone)
  const now = context.clock.now()
  const expires = new Date(now.getTime() + SESSION_DAYS * 86_400_000)
  const id = randomUUID()
  await addSession(context.db, {
    user_id: user.id,
    id,
    created_at: now,
    last_seen_at: now,
    expires_at: expires,
    ended_at: null,
    ip: origin.ip,
    user_agent: origin.userAgent,
  })
  await rememberPlace(context, user, origin)
  await context.live.publish(context.db, user.id, { topic: 'account' })
  return signToken(context.secrets.keyFor(KEY_PURPOSE), { userId: user.id, sessionId: id }, now, expires)
}

/** The caller behind a bearer token; null when its session is not live. */
export async function findCaller(context: Context, token: string): Promise<Caller | null> {
  const known = context.memory.callers
  const before = known.get(token)
  if (before !== undefined && before.until > Date.now()) return before.caller

  const now = context.clock.now()
  const claims = await readToken(context.secrets.keyFor(KEY_PURPOSE), token, now)
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
  const caller: Caller = {
    id: user.id,
    sessionId: claims.sessionId,
    email: user.email,
    name: user.name,
    timeZone: user.time_zone ?? FALLBACK_ZONE,
    isAdmin: user.is_admin,
  }
  if (known.size >= REMEMBER_MAX) known.clear()
  known.set(token, { caller, until: Date.now() + TRUST_MS })
  return caller
}

/** True while the user's session is live: for what is opened by a link instead of the token. */
export async function isSessionLive(context: Context, userId: number, sessionId: string): Promise<boolean> {
  const now = context.clock.now()
  return (await findSessionUser(context.db, userId, sessionId, now, idleSince(now))) !== undefined
}

/** Forgets the remembered callers of a user: one of the user's sessions has ended. */
export function forgetCallers(context: Context, userId: number): void {
  const known = context.memory.callers
  for (const [token, { caller }] of known) if (caller.id === userId) known.delete(token)
}
