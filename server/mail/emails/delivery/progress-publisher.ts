import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { finalizeSent } from './settlements-store.ts'

/** How often screens hear of progress while a mailbox is sending. */
const PUBLISH_EVERY_MS = 400

/** Finalizes the sent emails of a mailbox and tells the user's screens. */
export async function finalizeAndPublish(
  { live }: Pick<Context, 'live'>,
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<void> {
  await finalizeSent(db, userId, mailboxId)
  for (const topic of ['outreach', 'emails', 'contacts'] as const) await live.publish(db, userId, { topic })
}

/** Finalizes and publishes the progress of one mailbox run. */
export type ProgressPublisher = {
  /** Something was sent: publishes soon. */
  schedule(): void
  /** Waits for the publication under way and then publishes for the last time. */
  finish(): Promise<void>
}

/**
 * Publishes every {@link PUBLISH_EVERY_MS} at most, and never twice at once: a slow database does not get more of the same
 * work.
 */
export function makeProgressPublisher(
  context: Context,
  userId: number,
  mailboxId: number,
): ProgressPublisher {
  let timer: NodeJS.Timeout | undefined
  let publishing = Promise.resolve()
  let hasNews = false
  const publish = () => finalizeAndPublish(context, context.db, userId, mailboxId)
  const publishOrWarn = async () => {
    hasNews = false
    await publish().catch((error: unknown) =>
      context.log.warn({ err: error }, 'progress could not be published'),
    )
    timer = undefined
    if (hasNews) schedule()
  }
  const schedule = () => {
    hasNews = true
    timer ??= setTimeout(() => {
      publishing = publishOrWarn()
    }, PUBLISH_EVERY_MS)
  }
  return {
    schedule,
    finish: async () => {
      await publishing
      clearTimeout(timer)
      await publish()
    },
  }
}
