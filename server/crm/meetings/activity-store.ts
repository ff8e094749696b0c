import type { Queryable } from '../../platform/database/handles.ts'
import type { MeetingRow } from './store.ts'
import { onlyRowOf, rowsOf } from '../../platform/database/rows.ts'

/** Meetings between consecutive instants, by their start; `place` 1 is from the first instant to the second. */
export async function meetingsBetween(db: Queryable, userId: number, bounds: readonly Date[]) {
  return rowsOf<{ place: number; meetings: number }>(db)`
    SELECT width_bucket(start_time, ${[...bounds]}::timestamptz[]) AS place, count(*) AS meetings
    FROM meetings WHERE user_id = ${userId} AND start_time >= ${bounds[0]} AND start_time < ${bounds.at(-1)}
      AND status <> 'cancelled' GROUP BY 1`
}

/** How many meetings overlap a day, and how many of them are still to come; cancelled ones do not count. */
export async function meetingsOn(
  db: Queryable,
  userId: number,
  { from, to }: { from: Date; to: Date },
  now: Date,
) {
  return onlyRowOf<{ all: number; toCome: number }>(db)`
    SELECT count(*) AS "all", count(*) FILTER (WHERE end_time > ${now} AND status = 'scheduled') AS "toCome"
    FROM meetings WHERE user_id = ${userId} AND start_time < ${to} AND end_time > ${from}
      AND status <> 'cancelled'`
}

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
) {
  return rowsOf<AttendedMeeting>(db)`
    SELECT m.id, m.title, m.start_time, m.end_time, m.type, m.status, m.location
    FROM meeting_attendees a JOIN meetings m ON m.user_id = ${userId} AND m.id = a.meeting_id
    WHERE a.user_id = ${userId} AND a.address_key = ${addressKey} AND (m.start_time, m.id) < (${before.at}, ${before.id})
    ORDER BY m.start_time DESC, m.id DESC LIMIT ${limit}`
}
