import type { Context } from '../../../platform/context.ts'
import { pauseAskedFor } from '../../../platform/gateways/imap.ts'
import { type Mailbox, mailboxesOf, readSoon } from '../../mailboxes/mailboxes.ts'

/** Whether the account's server has asked for a wait, and for how long, which is not over. */
export function isInAskedPause(
  { read_error: words, read_error_kind: kind, next_read_at: next }: Mailbox,
  now: Date,
): boolean {
  return kind === 'later' && next !== null && next > now && pauseAskedFor(words ?? '') !== null
}

/** Asks the workers to read the user's accounts now, except those whose servers have asked for a wait. */
export async function readUnlessPaused(context: Context, userId: number, now: Date): Promise<void> {
  const paused = (await mailboxesOf(context.db, userId)).filter((mailbox) => isInAskedPause(mailbox, now))
  await readSoon(
    context.db,
    userId,
    now,
    paused.map(({ id }) => id),
  )
}
