import { sql } from 'kysely'
import type { MeetingRow } from './store.ts'
import type { Queryable } from '../../platform/database/handles.ts'

type AttendedMeeting = Pick<
  MeetingRow,
  'id' | 'title' | 'start_time' | 'end_time' | 'type' | 'status' | 'location'
>

/** Meetings with one address (lower case) after a given start and id in the order, latest first. */
export async function meetingsWith(
  db: Queryable,
  userId: number,
  addressKey: string,
  before: { at: Date; id: number },
  limit: number,
): Promise<AttendedMeeting[]> {
  const { rows } = await sql<AttendedMeeting>`
    SELECT m.id, m.title, m.start_time, m.end_time, m.type, m.status, m.location
    FROM meeting_attendees a JOIN meetings m ON m.user_id = ${userId} AND m.id = a.meeting_id
    WHERE a.user_id = ${userId} AND a.address_key = ${addressKey} AND (m.start_time, m.id) < (${before.at}, ${before.id})
    ORDER BY m.start_time DESC, m.id DESC LIMIT ${limit}`.execute(db)
  return rows
}
