import { noteActivity } from '../../accounts/activities/activities.ts'
import { findDeleted, restorableSince, unmarkDeleted } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notFound, conflict } from '../../platform/errors.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import type { Alongside } from './delete-account.ts'
import { noteLeft } from './feedback-store.ts'

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
