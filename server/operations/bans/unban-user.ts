import { noteActivity } from '../../accounts/activities/activities.ts'
import { type BanRow, endBanIfOver, liftBan, lockUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import { readSoon } from '../../mail/mailboxes/mailboxes.ts'

const NO_USER = 'There is no such user.'
const NO_BAN = 'This user is not banned.'

/**
 * Lifts a user's ban: they can log in again, and mail goes on where it was.
 *
 * @param reason what its owner reads
 * @throws Refusal 404 without such a user, 409 without a ban in force
 */
export async function unbanUser(
  context: Context,
  { userId, reason, by, origin }: { userId: number; reason: string; by: Caller | null; origin?: Origin },
): Promise<BanRow> {
  const lifted = await inTransaction(context.db, async (tx) => {
    const ban = await liftInside(context, tx, { userId, reason, by, origin })
    await queueSystemMail(context, tx, {
      to: ban.email,
      ...writeSystemMail('Your Howl account is no longer banned', [
        'The ban of your Howl account was lifted. You can log in again, and mail that waited leaves now.',
        `The reason: ${reason}`,
        { link: `${context.config.publicUrl}/login`, label: 'Log in' },
      ]),
    })
    return ban.row
  })
  logSecurity(context.log, { event: 'ban_lifted', account: userId }, by?.id ?? null, origin ?? null)
  return lifted
}

/** Lifts a ban without a word to its user. @throws Refusal like {@link unbanUser} */
export async function liftInside(
  context: Context,
  tx: Tx,
  {
    userId,
    reason,
    by,
    origin,
  }: { userId: number; reason: string; by: Caller | null; origin: Origin | undefined },
): Promise<{ row: BanRow; email: string }> {
  const now = context.clock.now()
  const user = await lockUser(tx, userId)
  if (user === undefined) throw notFound(NO_USER)
  await endBanIfOver(context, tx, userId)
  const row = await liftBan(tx, userId, { now, by: by?.id ?? null, reason })
  if (row === undefined) throw conflict(NO_BAN)
  await resumeAfterBan(context, tx, userId)
  await noteActivity(context, tx, { type: 'ban_lifted', user: userId, origin: null })
  if (by !== null)
    await noteActivity(context, tx, {
      type: 'admin_act',
      user: by.id,
      origin: origin ?? null,
      detail: `lifted the ban of user ${userId}`,
    })
  return { row, email: user.email }
}

/** Has the user's mail read and sent again, unless it is paused for another reason. */
export async function resumeAfterBan(context: Context, tx: Tx, userId: number): Promise<void> {
  await readSoon(tx, userId, context.clock.now())
  await context.live.publish(tx, userId, { topic: 'mailboxes' })
  await context.live.publish(tx, userId, { topic: 'outreach' })
}
