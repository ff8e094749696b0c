import type { Tx } from '../../platform/database/handles.ts'
import { changeInvoice, lockInvoice } from './store.ts'

/** Notes when the first mail with an issued document left; null: none has, after all. */
export async function noteSent(
  tx: Tx,
  userId: number,
  id: number,
  sentAt: Date | null,
  now: Date,
): Promise<void> {
  const row = await lockInvoice(tx, userId, id)
  if (row === undefined || row.issued_at === null) return
  if (sentAt !== null && row.sent_at !== null && row.sent_at <= sentAt) return
  await changeInvoice(tx, userId, id, { sent_at: sentAt }, now)
}

/** Notes that the customer has looked at an issued document. True for the first time. */
export async function noteViewed(tx: Tx, userId: number, id: number, now: Date): Promise<boolean> {
  const row = await lockInvoice(tx, userId, id)
  if (row === undefined || row.issued_at === null || row.viewed_at !== null) return false
  await changeInvoice(tx, userId, id, { viewed_at: now }, now)
  return true
}
