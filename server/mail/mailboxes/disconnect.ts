import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { stopFollowUps } from './follow-ups-store.ts'
import { type Grant, takeGrant } from './grants-store.ts'
import { notifyChange } from './notify-change.ts'
import { revokeGrant } from './revoke-grant.ts'
import { updateAccounts, ownAccount, ownAccounts, primaryOf, settleAccounts } from './accounts-of-user.ts'
import { endPractice } from './practice-mailbox.ts'
import { changeMailbox, lockMailboxes, type Mailbox, mailboxesOf } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/**
 * Disconnects the account in use; its mails stay. After the practice mailbox the default account is in use again, if there
 * is one, and what happened in practice is cleared away. Without an account nothing happens.
 *
 * @throws Refusal 409 while a practice run is in progress
 */
export async function disconnect(context: Context, userId: number): Promise<void> {
  const grant = await updateAccounts(context, userId, async (tx, all) => {
    const primary = primaryOf(all)
    if (primary === undefined) return undefined
    if (!primary.is_practice) return endAndTell(context, tx, all, primary)
    await endPractice(context, tx, userId, all)
    await settleAccounts(tx, userId)
    return undefined
  })
  if (grant !== undefined) revokeGrant(context, grant)
}

/** Disconnects one of the user's own accounts; its mails stay. @throws Refusal 404 */
export async function disconnectAccount(context: Context, userId: number, id: number): Promise<void> {
  const grant = await updateAccounts(context, userId, (tx, all) =>
    endAndTell(context, tx, all, ownAccount(all, id)),
  )
  if (grant !== undefined) revokeGrant(context, grant)
}

async function endAndTell(context: Context, tx: Tx, all: readonly Mailbox[], row: Mailbox) {
  const grant = await endAccount(context, tx, all, row)
  await notifyChange(context, tx, row.user_id, { address: row.address, what: 'disconnected' })
  return grant
}

/** The accounts of somebody else, perhaps: all are disconnected, with their consents. Practice is nobody's. */
export async function clearMailboxes(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  await lockMailboxes(tx, userId)
  const told: string[] = []
  const grants: Grant[] = []
  for (;;) {
    const all = await mailboxesOf(tx, userId)
    const [row] = ownAccounts(all)
    if (row === undefined) break
    const grant = await endAccount(context, tx, all, row)
    if (grant !== undefined) grants.push(grant)
    told.push(`The email account ${row.address} was disconnected.`)
  }
  await context.live.publish(tx, userId, { topic: 'mailboxes' })
  return { told, afterwards: () => grants.forEach((grant) => revokeGrant(context, grant)) }
}

/** Ends the connection and deletes passwords and grant. Another account is the default then; after the last one follow-ups stop. */
async function endAccount(
  context: Context,
  tx: Tx,
  all: readonly Mailbox[],
  row: Mailbox,
): Promise<Grant | undefined> {
  const { user_id: userId, id } = row
  // Before the mailbox's own row: a renewal locks them in this order.
  const grant = await takeGrant(tx, userId, id)
  await changeMailbox(tx, userId, id, {
    is_primary: false,
    is_default: false,
    disconnected_at: context.clock.now(),
    oauth_provider: null,
    smtp_password_box: null,
    imap_password_box: null,
    next_read_at: null,
    reader_id: null,
    last_error: null,
    read_error: null,
    read_error_kind: null,
    read_failures: 0,
  })
  if (ownAccounts(all).length === 1) await stopFollowUps(tx, userId, 'own')
  await settleAccounts(tx, userId)
  return grant
}
