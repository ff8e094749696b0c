import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { forgetCallers } from './sessions.ts'
import { endSession as markEnded } from './store.ts'

/**
 * Ends one session of the user, here and, by the event, in every other process.
 *
 * @throws Refusal 404 when this user has no such live session.
 */
export async function endSession(context: Context, userId: number, sessionId: string): Promise<void> {
  const ended = await markEnded(context.db, userId, sessionId, context.clock.now())
  if (!ended) throw notFound('This session has ended already.')
  forgetCallers(context, userId)
  await context.live.publish(context.db, userId, { topic: 'session' })
}
