import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { lockMailboxes, type Mailbox, mailboxesOf, makeDefault, makePrimary } from './store.ts'

/** The user's own connected accounts, whether or not the practice mailbox is in use at the moment. */
export function ownAccounts(all: readonly Mailbox[]): Mailbox[] {
  return all.filter((row) => !row.is_practice && row.disconnected_at === null)
}

/** The own account that sends where no other is named, except during practice. */
export function defaultAccount(all: readonly Mailbox[]): Mailbox | undefined {
  return ownAccounts(all).find((row) => row.is_default)
}

/** The account in use: the default one, or the practice mailbox. */
export function primaryOf(all: readonly Mailbox[]): Mailbox | undefined {
  return all.find((row) => row.is_primary && row.disconnected_at === null)
}

/** One of the user's own connected accounts. @throws Refusal 404 */
export function ownAccount(all: readonly Mailbox[], id: number): Mailbox {
  const row = ownAccounts(all).find((own) => own.id === id)
  if (row === undefined) throw notFound('There is no such email account.')
  return row
}

/**
 * After accounts were connected or disconnected: the default one stays the default while it is connected, then another
 * takes its place; and the practice mailbox is in use while it is open, otherwise the default account. `wanted` becomes
 * the default. Call it under {@link lockMailboxes}.
 */
export async function settleAccounts(tx: Tx, userId: number, wanted?: number): Promise<void> {
  const all = await mailboxesOf(tx, userId)
  const own = ownAccounts(all)
  const chosen = own.find(({ id }) => id === wanted) ?? defaultAccount(all) ?? own[0]
  if (chosen !== undefined) await makeDefault(tx, userId, chosen.id)
  const inUse = all.find((row) => row.is_practice && row.disconnected_at === null) ?? chosen
  if (inUse !== undefined) await makePrimary(tx, userId, inUse.id)
}

/** Changes the user's accounts in one transaction, under {@link lockMailboxes}; `all` are those that there are. The screens hear of it. */
export async function updateAccounts<T>(
  context: Context,
  userId: number,
  change: (tx: Tx, all: readonly Mailbox[]) => Promise<T>,
): Promise<T> {
  return inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const changed = await change(tx, await mailboxesOf(tx, userId))
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
    return changed
  })
}
