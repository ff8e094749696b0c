import type { Context } from '../../context.ts'
import { putAway } from './settlements-store.ts'

/** Screens hear of progress this often. */
const TELL_EVERY_MS = 400

/**
 * Puts away what has left and tells screens of it, every now and then and one time after the other: a database that is
 * slow gets no more of it.
 */
export function makeProgressPublisher(
  context: Context,
  userId: number,
  mailboxId: number,
): (() => void) & { last: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  let more = false
  const publish = async () => {
    await putAway(context.db, userId, mailboxId)
    for (const topic of ['outreach', 'emails', 'contacts'] as const)
      await context.live.publish(context.db, userId, { topic })
  }
  const quietly = async () => {
    more = false
    await publish().catch((error: unknown) => context.log.warn({ err: error }, 'progress could not be told'))
    timer = undefined
    if (more) tell()
  }
  const tell = () => {
    more = true
    timer ??= setTimeout(() => {
      telling = quietly()
    }, TELL_EVERY_MS)
  }
  return Object.assign(tell, {
    last: async () => {
      await telling
      clearTimeout(timer)
      await publish()
    },
  })
}
