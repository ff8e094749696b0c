import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { forgetCallers } from './sessions.ts'
import { endOtherSessions as markOthersEnded, endSession as markEnded } from './store.ts'

/**
 * Ends one session of the user, in this process and, through the event, in every other. `caller` is the session that
 * asks for it.
 *
 * @throws Refusal 404 when this user has no such live session
 */
export async function endSession(
  context: Context,
  caller: { id: number; sessionId: string },
  sessionId: string,
  origin: Origin,
): Promise<void> {
  const userId = caller.id
  const ended = await markEnded(context.db, userId, sessionId, context.clock.now())
  if (!ended) throw notFound('This session has ended already.')
  forgetCallers(context, userId)
  const why = sessionId === caller.sessionId ? 'log_out' : 'ended_elsewhere'
  logSecurity(context.log, { event: 'session_ended', why, session: sessionId }, userId, origin)
  const type = why === 'log_out' ? 'log_out' : 'session_ended'
  await noteActivity(context, context.db, { type, user: userId, origin })
  await context.live.publish(context.db, userId, { topic: 'session' })
}

/** Ends all sessions of the user but the caller's own, in every process within a second. Returns how many. */
export async function endOtherSessions(
  context: Context,
  caller: { id: number; sessionId: string },
  origin: Origin,
): Promise<number> {
  const ended = await markOthersEnded(context.db, caller.id, caller.sessionId, context.clock.now())
  if (ended.length === 0) return 0
  forgetCallers(context, caller.id)
  for (const session of ended)
    logSecurity(context.log, { event: 'session_ended', why: 'ended_elsewhere', session }, caller.id, origin)
  const detail = ended.length === 1 ? '1 session' : `${ended.length} sessions`
  await noteActivity(context, context.db, { type: 'session_ended', user: caller.id, origin, detail })
  await context.live.publish(context.db, caller.id, { topic: 'session' })
  return ended.length
}
