import type { Tx } from '../database/connect.ts'
import { conflict } from '../http/errors.ts'
import { isInRun, type Mailbox } from './store.ts'

/**
 * Practice and mail to real people are kept apart: neither begins while a run of the other is under way. `inUse` is the
 * mailbox that is about to be left.
 *
 * @throws Refusal 409
 */
export async function refuseInRun(tx: Tx, inUse: Mailbox | undefined): Promise<void> {
  if (inUse === undefined || !(await isInRun(tx, inUse.user_id, inUse.id))) return
  throw conflict(
    inUse.is_practice
      ? 'A practice run is still under way. Wait until it is done, or cancel it on the dashboard.'
      : 'A run through your own account is still under way. Wait until it is done, or cancel it on the dashboard.',
  )
}
