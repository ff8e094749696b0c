import { addressKey } from '../../formats/mail-text/addresses.ts'
import { insertMeeting } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/** A new meeting with one other person. */
export type NewMeeting = { title: string; start: Date; end: Date; attendee: string }

/**
 * Adds a meeting by phone, the kind that needs neither a place nor a link, in the caller's transaction.
 *
 * @returns its id
 */
export async function addMeeting(tx: Tx, userId: number, meeting: NewMeeting, now: Date): Promise<number> {
  const { title, start, end, attendee } = meeting
  return insertMeeting(
    tx,
    { user_id: userId, title, start_time: start, end_time: end, type: 'phone', created_at: now },
    [{ address: attendee, address_key: addressKey(attendee) }],
  )
}
