import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { erasePersons, personalRows } from './activities-store.ts'
import { sealsOf } from './seals.ts'

const AT_ONCE = 500

/**
 * Erases what the activity log says of a user whose account is being removed. Time, kind and risk stay, and so do the digests
 * that the chain links: the check counts such rows, and finds nothing wrong.
 */
export async function eraseActivities(context: Context, userId: number): Promise<void> {
  const seals = sealsOf(context)
  for (let erased = AT_ONCE; erased === AT_ONCE && !context.stopping.aborted;) {
    erased = await inTransaction(context.db, async (tx) => {
      const erased_at = context.clock.now()
      const rows = await personalRows(tx, userId, AT_ONCE)
      const signed = rows.map((row) => ({ id: row.id, erasure: seals.erasure({ ...row, erased_at }) }))
      if (signed.length > 0) await erasePersons(tx, signed, erased_at)
      return signed.length
    })
  }
}
