import type { Selection } from '#contract/crm/contacts.ts'
import { selectAddresses } from '../../../crm/contacts/contacts.ts'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { liftSuppressionsOf, suppressAddresses } from './suppressions-store.ts'

type CallingUser = { id: number; timeZone: string }
type ChangeCount = { changed: number; unchanged: number }

/** Suppresses many contacts, all or none. `at` identifies this action for `liftSuppressions`. @throws Refusal 400, 409 */
export async function suppressContacts(
  context: Context,
  user: CallingUser,
  selection: Selection,
): Promise<ChangeCount & { at: string }> {
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const keys = await selectAddresses(context, tx, user, selection)
    const changed = await suppressAddresses(tx, user.id, keys, now)
    await context.live.publish(tx, user.id, { topic: 'contacts' })
    return { changed, unchanged: keys.length - changed, at: now.toISOString() }
  })
}

/**
 * Lifts the suppressions of many contacts, except of those who unsubscribed or complained. `stopped_at` narrows this to
 * the contacts that one `suppressContacts` suppressed. @throws Refusal 400, 409
 */
export async function liftSuppressions(
  context: Context,
  user: CallingUser,
  { stopped_at, ...selection }: Selection & { stopped_at?: string | undefined },
): Promise<ChangeCount> {
  return inTransaction(context.db, async (tx) => {
    const keys = await selectAddresses(context, tx, user, selection)
    const changed = await liftSuppressionsOf(
      tx,
      user.id,
      keys,
      stopped_at === undefined ? null : new Date(stopped_at),
    )
    await context.live.publish(tx, user.id, { topic: 'contacts' })
    return { changed, unchanged: keys.length - changed }
  })
}
