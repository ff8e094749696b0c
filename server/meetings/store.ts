import type { Insertable, Selectable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Queryable, Tx } from '../database/connect.ts'
import type { MeetingAttendeesTable, MeetingsTable } from './tables.ts'

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

/** Adds a meeting with its attendees; gives its id. */
export async function insertMeeting(
  tx: Tx,
  meeting: Insertable<MeetingsTable>,
  attendees: readonly Pick<MeetingAttendeesTable, 'address' | 'address_key'>[],
): Promise<number> {
  const { id } = await tx.insertInto('meetings').values(meeting).returning('id').executeTakeFirstOrThrow()
  if (attendees.length > 0) {
    await tx
      .insertInto('meeting_attendees')
      .values(attendees.map((attendee) => ({ user_id: meeting.user_id, meeting_id: id, ...attendee })))
      .execute()
  }
  return id
}

/** Takes a meeting away as if it had never been arranged; one that is gone already is no error. */
export async function removeMeeting(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.deleteFrom('meetings').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** When the user is in meetings that touch this span and are not cancelled. */
export async function busyTimes(
  db: Queryable,
  userId: number,
  from: Date,
  to: Date,
): Promise<{ start: Date; end: Date }[]> {
  return db
    .selectFrom('meetings')
    .select(['start_time as start', 'end_time as end'])
    .where('user_id', '=', userId)
    .where('status', '!=', 'cancelled')
    .where('start_time', '<', to)
    .where('end_time', '>', from)
    .execute()
}
