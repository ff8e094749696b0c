import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { stopFollowUps } from './follow-ups-store.ts'
import { type Grant, takeGrant } from './grants-store.ts'
import { endPractice } from './leave-practice.ts'
import { notifyChange } from './notify-change.ts'
import { revokeGrant } from './revoke-grant.ts'
import { ownAccount, ownAccounts, primaryOf, settleAccounts } from './accounts-of-user.ts'
import { changeMailbox, lockMailboxes, type Mailbox, type MailboxChanges, mailboxesOf } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/**
 * Disconnects the account in use; its mails stay. After the practice mailbox the default account is in use again, if there
 * is one, and what happened in practice is cleared away. Without an account nothing happens.
 *
 * @throws Refusal 409 while a practice run is in progress
 */
export async function disconnect(context: Context, userId: number): Promise<void> {
  const grant = await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const primary = primaryOf(all)
    if (primary === undefined) return undefined
    let ended: Grant | undefined
    if (primary.is_practice) {
      await endPractice(context, tx, userId, all)
      await settleAccounts(tx, userId)
    } else {
      ended = await endAccount(context, tx, userId, all, primary)
      await notifyChange(context, tx, userId, { address: primary.address, what: 'disconnected' })
    }
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    return ended
  })
  if (grant !== undefined) revokeGrant(context, grant)
}

/** Disconnects one of the user's own accounts; its mails stay. @throws Refusal 404 */
export async function disconnectAccount(context: Context, userId: number, id: number): Promise<void> {
  const grant = await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const row = ownAccount(all, id)
    const ended = await endAccount(context, tx, userId, all, row)
    await notifyChange(context, tx, userId, { address: row.address, what: 'disconnected' })
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    return ended
  })
  if (grant !== undefined) revokeGrant(context, grant)
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
    const grant = await endAccount(context, tx, userId, all, row)
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
  userId: number,
  all: readonly Mailbox[],
  row: Mailbox,
): Promise<Grant | undefined> {
  // Before the mailbox's own row: a renewal locks them in this order.
  const grant = await takeGrant(tx, userId, row.id)
  await changeMailbox(tx, userId, row.id, endOf(context.clock.now()))
  if (ownAccounts(all).length === 1) await stopFollowUps(tx, userId, 'own')
  await settleAccounts(tx, userId)
  return grant
}

function endOf(now: Date): MailboxChanges {
  return {
    is_primary: false,
    is_default: false,
    disconnected_at: now,
    oauth_provider: null,
    smtp_password_box: null,
    imap_password_box: null,
    next_read_at: null,
    reader_id: null,
    last_error: null,
    read_error: null,
    read_error_kind: null,
    read_failures: 0,
  }
}
