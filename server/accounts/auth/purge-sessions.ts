import type { Context } from '../../platform/context.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { forgetTries } from './guess-store.ts'
import { idleSince } from './sessions.ts'
import { removeSessions } from './store.ts'

const PURGE_EVERY_MS = 60 * 60_000
/** By then even the longest delay between guesses is over. */
const TRIES_MS = 86_400_000
/** A place without a log-in for this long counts as unknown again. */
const PLACES_MS = 90 * 86_400_000

/** Deletes ended sessions and outdated records of log-ins. */
export function startAuthLoops(context: Context): Loop[] {
  return [startLoop(context, 'purge sessions', PURGE_EVERY_MS, () => purgeSessions(context))]
}

/** One step of the loop. Expired sessions are logged here: no request was there to log them. */
export async function purgeSessions(context: Context): Promise<void> {
  const now = context.clock.now()
  for (const { user_id, id } of await removeSessions(context.db, now, idleSince(now))) {
    logSecurity(context.log, { event: 'session_ended', why: 'expired', session: id }, user_id, null)
  }
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await forgetTries(context.db, before(TRIES_MS), before(PLACES_MS))
}
