import { ImapFailure } from '../../../platform/gateways/imap.ts'
import { isLost } from './fetch-messages.ts'
import type { SyncPass } from './sync-pass.ts'

/** When the server wants to do so many items in a row later, it means the account. */
const LATER_IN_A_ROW = 3

/** Counts the items in a row that the server wants to do later. */
export type LaterItems = { inARow: number }

/**
 * Whether a failure concerns one item only, so that the next one is tried. A full mailbox may still have room for a
 * smaller message.
 */
export function isOfItem(pass: SyncPass, error: unknown, later: LaterItems): error is ImapFailure {
  if (!(error instanceof ImapFailure) || isLost(pass, error)) return false
  if (error.kind !== 'later' || error.code === 'OVERQUOTA') {
    later.inARow = 0
    return true
  }
  later.inARow += 1
  return later.inARow < LATER_IN_A_ROW
}
