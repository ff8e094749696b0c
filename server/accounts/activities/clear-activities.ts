import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { lockChain, oldRows, removeCleared, saveChain } from './chain-store.ts'
import { sealsOf } from './seals.ts'
import { erasePersons, personalRows } from './activities-store.ts'

const CLEARED_AT_ONCE = 2000
const DAY_MS = 86_400_000

/**
 * Clears rows older than ACTIVITY_DAYS, from the beginning of the chain on, and leaves a signed mark of where it begins now.
 *
 * @returns how many were cleared
 */
export async function clearActivities(context: Context): Promise<number> {
  const before = new Date(context.clock.now().getTime() - context.config.activityDays * DAY_MS)
  let total = 0
  for (let cleared = CLEARED_AT_ONCE; cleared === CLEARED_AT_ONCE && !context.stopping.aborted;) {
    cleared = await clearSome(context, before)
    total += cleared
  }
  return total
}

async function clearSome(context: Context, before: Date): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    const chain = await lockChain(tx)
    if (chain === undefined) return 0
    const rows = await oldRows(tx, chain.cleared, before, CLEARED_AT_ONCE)
    const last = rows.at(-1)
    if (last === undefined) return 0
    const { id: _, ...kept } = chain
    await saveChain(tx, {
      ...kept,
      cleared: last.position,
      cleared_link: last.link,
      cleared_seal: sealsOf(context).end('cleared', last.position, last.link),
    })
    await removeCleared(tx, last.position)
    return rows.length
  })
}

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
