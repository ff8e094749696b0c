import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { type AccountFields, type Faults, isAnotherAccount } from './account-fields.ts'
import { ownAccounts } from './accounts-of-user.ts'
import { addMailbox, type Mailbox } from './store.ts'

/** Mail accounts per plan. The largest plan has room for any number. */
const ACCOUNTS_PER_PLAN: Readonly<Record<string, number | null>> = {
  free: 1,
  starter: 3,
  professional: 10,
  enterprise: null,
}

/**
 * The row that a newly connected account takes: that of its earlier connection, with its mails and its position in each
 * folder, or a new one. It is neither filled in nor in use yet. Call it under `lockMailboxes`, with all rows read since.
 *
 * @throws Refusal 400 when the address is connected already; 409 when the user's plan has no room
 */
export async function placeForAccount(
  context: Context,
  tx: Tx,
  userId: number,
  all: readonly Mailbox[],
  fields: AccountFields,
): Promise<Mailbox> {
  const faults = addressFaults(all, undefined, fields)
  if (faults.smtp_from !== undefined) throw invalidInput(`${faults.smtp_from}.`, faults)
  const begun = ownAccounts(all).find(isBegun)
  const count = ownAccounts(all).length - (begun === undefined ? 0 : 1)
  await refuseBeyondPlan(context, tx, userId, count)
  return begun ?? formerAccount(all, fields) ?? (await addEmptyAccount(context, tx, userId))
}

/** A row without servers, which {@link isBegun}. */
export async function addEmptyAccount(context: Context, tx: Tx, userId: number): Promise<Mailbox> {
  return addMailbox(tx, userId, { is_primary: false, address: '', created_at: context.clock.now() })
}

/** Each of a user's connected accounts has an address of its own: otherwise nobody could tell them apart. */
export function addressFaults(
  all: readonly Mailbox[],
  row: Mailbox | undefined,
  { address }: AccountFields,
): Faults {
  const isTaken = ownAccounts(all).some(
    (other) =>
      other.id !== row?.id && address !== '' && other.address.toLowerCase() === address.toLowerCase(),
  )
  return isTaken ? { smtp_from: 'You have connected this address already' } : {}
}

/** True where only a limit was saved so far. */
function isBegun(row: Mailbox): boolean {
  return row.smtp_host === '' && row.imap_host === ''
}

/**
 * An account connected a second time continues where it was, and what waits to leave from its address leaves. With another
 * server too: its owner has moved the mailbox.
 */
function formerAccount(all: readonly Mailbox[], fields: AccountFields): Mailbox | undefined {
  const address = fields.address.toLowerCase()
  const former = all.filter(
    (row) => !row.is_practice && row.disconnected_at !== null && row.address.toLowerCase() === address,
  )
  return former.find((row) => !isAnotherAccount(row, fields)) ?? former[0]
}

/** For how many mail accounts of their own the user's plan has room; null for any number. */
export async function accountsMax(context: Context, db: Queryable, userId: number): Promise<number | null> {
  if (!context.config.planLimits) return null
  const tier = (await findUser(db, userId))?.pricing_tier ?? ''
  const max = ACCOUNTS_PER_PLAN[tier]
  // A plan that this version does not know gives what every user has.
  return max === undefined ? 1 : max
}

/**
 * Call it under `lockMailboxes`, so that two accounts added at once do not both find the last place.
 *
 * @throws Refusal 409 with the number, when the user has `count` accounts and the plan has no room for one more
 */
async function refuseBeyondPlan(
  context: Context,
  db: Queryable,
  userId: number,
  count: number,
): Promise<void> {
  const max = await accountsMax(context, db, userId)
  if (max === null || count < max) return
  throw conflict(
    max === 1
      ? 'Your plan has room for 1 email account. Disconnect it before you add another one.'
      : `Your plan has room for ${max} email accounts. Disconnect one before you add another one.`,
  )
}
