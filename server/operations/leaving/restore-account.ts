import { noteActivity } from '../../accounts/activities/activities.ts'
import {
  endMailPause,
  findDeleted,
  findUser,
  restorableSince,
  unmarkDeleted,
} from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import type { Alongside } from './delete-account.ts'
import { noteLeft } from './feedback-store.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { countWaiting } from '../../mail/emails/emails.ts'
import { readSoon } from '../../mail/mailboxes/mailboxes.ts'
import { isHeldSinceRestore } from './restore-holds-store.ts'

/** What restoring an account needs; a command of the operator has no more. */
export type RestoreContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'secrets'>

/**
 * Restores a deleted account as it was. Its mail stays paused until the user resumes it.
 *
 * @returns the account's address
 * @throws Refusal 404 without a deleted account of this address, 409 when its time is over
 */
export async function restoreAccount(context: RestoreContext, email: string): Promise<string> {
  const found = await findDeleted(context.db, email)
  if (found === undefined) throw notFound(`There is no deleted account with the address ${email}.`)
  await restoreAccountOf(context, found)
  return found.email
}

/**
 * Restores this deleted account as it was.
 *
 * @param alongside what else is written if and only if the account is restored
 * @throws Refusal 409 when its time is over
 */
export async function restoreAccountOf(
  context: RestoreContext,
  found: { id: number; email: string },
  alongside?: Alongside,
): Promise<void> {
  const user = await inTransaction(context.db, async (tx) => {
    const restored = await unmarkDeleted(tx, found.id, restorableSince(context.clock.now()))
    if (restored === undefined) return undefined
    await noteLeft(tx, restored.id, null)
    await queueSystemMail(context, tx, { to: restored.email, ...notice(context) })
    await noteActivity(context, tx, { type: 'account_restored', user: restored.id, origin: null })
    await alongside?.(tx)
    return restored
  })
  if (user === undefined)
    throw conflict(`The account ${found.email} was deleted too long ago: it is being removed.`)
  logSecurity(context.log, { event: 'account_restored' }, user.id, null)
}

function notice({ config }: RestoreContext) {
  return writeSystemMail('Your Howl account is back', [
    'Your Howl account was restored as it was. You can log in again with your password.',
    { link: `${config.publicUrl}/login`, label: 'Log in' },
    'Howl does not send or read mail for you until you press “Resume mail”.',
  ])
}

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
