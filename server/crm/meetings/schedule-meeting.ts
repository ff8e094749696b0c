import type { BodyOf } from '#contract/platform/endpoint.ts'
import { type meetings, placesOf } from '#contract/crm/meetings.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { attendeesFrom } from './attendees.ts'
import { reminderTime } from './meeting-times.ts'
import { publishMeetings } from './publish-meetings.ts'
import { findMeeting, insertMeeting, type MeetingRow } from './store.ts'

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
