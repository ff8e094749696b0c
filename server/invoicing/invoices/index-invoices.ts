import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { writeSomeWords } from './search-store.ts'

/** A document's words are written about this soon; until then a search reads its text. */
const LOOK_EVERY_MS = 1000
const AT_ONCE = 500

/** Starts the loop that writes the words by which invoices are found. */
export function startIndexingInvoices(context: Context): Loop {
  return startDueLoop(context, 'index invoices', LOOK_EVERY_MS, async () => {
    let written = AT_ONCE
    while (written === AT_ONCE && !context.stopping.aborted) written = await indexSomeInvoices(context)
  })
}

/** Writes the words of some documents that have none; returns of how many. */
export const indexSomeInvoices = (context: Context): Promise<number> =>
  inTransaction(context.db, (tx) => writeSomeWords(tx, AT_ONCE))
