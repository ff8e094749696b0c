import type { Selectable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Queryable } from '../database/connect.ts'
import type { MeetingsTable } from './tables.ts'

export type MeetingRow = Selectable<MeetingsTable> & { attendees: { address: string }[] }

/** The user's meetings by start time. */
export async function listMeetings(db: Queryable, userId: number, limit: number): Promise<MeetingRow[]> {
  return db
    .selectFrom('meetings')
    .selectAll('meetings')
    .select((meeting) =>
      jsonArrayFrom(
        meeting
          .selectFrom('meeting_attendees')
          .select('address')
          .whereRef('meeting_attendees.user_id', '=', 'meetings.user_id')
          .whereRef('meeting_attendees.meeting_id', '=', 'meetings.id')
          .orderBy('address'),
      ).as('attendees'),
    )
    .where('meetings.user_id', '=', userId)
    .orderBy('start_time')
    .limit(limit)
    .execute()
}
