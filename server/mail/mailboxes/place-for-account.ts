import type { Context } from '../../platform/context.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { type AccountFields, type Faults, isAnotherAccount } from './account-fields.ts'
import { ownAccounts } from './accounts-of-user.ts'
import { refuseBeyondPlan } from './plan-limit.ts'
import { addMailbox, type Mailbox } from './store.ts'

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
  const now = context.clock.now()
  const warmUpFrom = context.config.warmUp ? now : null
  return addMailbox(tx, userId, {
    is_primary: false,
    address: '',
    created_at: now,
    warm_up_from: warmUpFrom,
  })
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
