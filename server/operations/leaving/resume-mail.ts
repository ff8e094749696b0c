import { endMailPause, findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { countWaiting } from '../../mail/emails/emails.ts'
import { readSoon } from '../../mail/mailboxes/mailboxes.ts'
import { isHeldSinceRestore } from './restore-holds-store.ts'

/** Since when the user's mail is paused, null if it is not, and how many emails leave once it is resumed. */
export async function mailPause(
  context: Context,
  userId: number,
): Promise<{ pausedAt: Date | null; waiting: number }> {
  const pausedAt = (await findUser(context.db, userId))?.mail_paused_at ?? null
  if (pausedAt === null) return { pausedAt, waiting: 0 }
  return { pausedAt, waiting: await countWaiting(context.db, userId, context.clock.now()) }
}

const HELD =
  'Howl was restored from a backup. Please open “See what waits” first, and say what is sent: some of it may have left already.'

/**
 * Ends a pause at the user's own wish. The hold after a restore is another thing: what may have left must be asked first.
 *
 * @throws Refusal 409 while there is such a hold
 */
export async function endOwnPause(context: Context, userId: number): Promise<void> {
  if (await isHeldSinceRestore(context.db, userId)) throw conflict(HELD)
  await resumeMail(context, userId)
}

/** What resuming mail needs; a command of the operator has no more. */
export type ResumeContext = Pick<Context, 'clock' | 'live'> & { db: Queryable }

/** Sends and reads the user's mail again. Without a pause nothing happens. */
export async function resumeMail(context: ResumeContext, userId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await endMailPause(tx, userId))) return
    await readSoon(tx, userId, context.clock.now())
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
}
