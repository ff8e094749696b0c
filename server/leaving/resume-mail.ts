import { endMailPause, findUser } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { countWaiting } from '../emails/emails.ts'
import { readSoon } from '../mailboxes/mailboxes.ts'

/** Since when the user's mail is paused, null if it is not, and how many emails leave once it is resumed. */
export async function mailPause(
  context: Context,
  userId: number,
): Promise<{ pausedAt: Date | null; waiting: number }> {
  const pausedAt = (await findUser(context.db, userId))?.mail_paused_at ?? null
  if (pausedAt === null) return { pausedAt, waiting: 0 }
  return { pausedAt, waiting: await countWaiting(context.db, userId, context.clock.now()) }
}

/** Sends and reads the user's mail again. Without a pause nothing happens. */
export async function resumeMail(context: Context, userId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await endMailPause(tx, userId))) return
    await readSoon(tx, userId, context.clock.now())
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
}
