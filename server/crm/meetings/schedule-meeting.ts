import type { BodyOf } from '#contract/platform/endpoint.ts'
import { type meetings, placesOf } from '#contract/crm/meetings.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { reminderTime } from './meeting-times.ts'
import { type Attendee, findMeeting, insertMeeting, type MeetingRow } from './store.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import type { Tx } from '../../platform/database/handles.ts'

/** Adds a meeting; a place is kept only for one in person, a link only for a video call. */
export async function scheduleMeeting(
  context: Context,
  userId: number,
  input: BodyOf<typeof meetings.add>,
): Promise<MeetingRow> {
  const now = context.clock.now()
  const { attendees, ...given } = placesOf(input)
  const fields = {
    ...given,
    description: given.description ?? '',
    notes: given.notes ?? '',
    location: given.location ?? '',
    meeting_link: given.meeting_link ?? '',
    start_time: new Date(given.start_time),
    end_time: new Date(given.end_time),
    time_zone: given.time_zone ?? null,
  }
  return inTransaction(context.db, async (tx) => {
    const row = { ...fields, user_id: userId, created_at: now, remind_at: reminderTime(fields, now) }
    const id = await insertMeeting(tx, row, attendeesFrom(attendees ?? []))
    await publishMeetings(context, tx, userId)
    return (await findMeeting(tx, userId, id)) as MeetingRow
  })
}

/** A new meeting with one other person. */
type NewMeeting = { title: string; start: Date; end: Date; attendee: string }

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

/** Addresses as rows; addresses that differ only in case are one row. */
export function attendeesFrom(addresses: readonly string[]): Attendee[] {
  const byKey = new Map(addresses.map((address) => [addressKey(address), address]))
  return [...byKey].map(([address_key, address]) => ({ address_key, address }))
}

/** Notifies the user's open pages; a meeting also changes the status of the contacts that attend it. */
export async function publishMeetings(context: Context, tx: Tx, userId: number): Promise<void> {
  await context.live.publish(tx, userId, { topic: 'meetings' })
  await context.live.publish(tx, userId, { topic: 'contacts' })
}
