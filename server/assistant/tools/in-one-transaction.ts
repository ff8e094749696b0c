import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Asking, Result, Settlement } from './tool.ts'

/** Does an effect and writes down that its proposal is approved: both or neither. */
export async function inOneTransaction(
  asking: Asking,
  settlement: Settlement,
  work: (asking: Asking) => Promise<Result>,
): Promise<void> {
  await inTransaction(asking.context.db, async (tx) => {
    await settlement.claim(tx)
    // Commands join a transaction that is open already.
    const context: Context = { ...asking.context, db: tx as unknown as Database }
    await settlement.done(tx, await work({ ...asking, context }))
  })
}
