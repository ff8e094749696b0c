import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import { isBeingCleared } from '../../mail/mailboxes/mailboxes.ts'

/** Clearing ten thousand practice mails takes about two seconds. */
const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 100

/**
 * Waits until practice is cleared away: before that some contacts look as if they had been mailed.
 *
 * @throws Refusal 409 when that takes too long
 */
export async function untilCleared(context: Context, userId: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (await isBeingCleared(context.db, userId)) {
    if (Date.now() > until || context.stopping.aborted)
      throw conflict('What happened in practice is still being cleared away. Try again in a moment.')
    await pause(LOOK_EVERY_MS)
  }
}
