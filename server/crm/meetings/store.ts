import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { TimeSpan } from './meeting-times.ts'
import type { MeetingAttendeesTable, MeetingsTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { removeRow } from '../../platform/database/rows.ts'

export type MeetingRow = Selectable<MeetingsTable> & { attendees: { address: string }[] }
export type Attendee = Pick<MeetingAttendeesTable, 'address' | 'address_key'>

export type MeetingSearch = {
  /** Part of the title, the description or the place; empty for all. */
  search: string
  status: MeetingRow['status'] | null
  attendeeKey: string | null
  /** Range of its start. */
  starts: TimeSpan
  /** Range that it overlaps. */
  touches: TimeSpan
}

export type MeetingPage = {
  limit: number
  offset: number
  /** Beyond the limit, keep those nearest to this instant; null for those that start first. */
  nearestTo: Date | null
}

/** A page of the user's meetings by start time, and the total. */
export async function listMeetings(
  db: Queryable,
  userId: number,
  wanted: MeetingSearch,
  page: MeetingPage,
): Promise<{ rows: MeetingRow[]; total: number }> {
  const where = conditions(userId, wanted)
  const order =
    page.nearestTo === null
      ? sql`start_time, id`
      : sql`greatest(start_time - ${page.nearestTo}, ${page.nearestTo} - start_time), id`
  const [{ rows: taken }, counted] = await Promise.all([
    sql<{ id: number }>`
      SELECT id FROM meetings WHERE ${where} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`.execute(
      db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM meetings WHERE ${where}`.execute(db),
  ])
  const ids = taken.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await withAttendees(db, userId, ids).execute()
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

function conditions(userId: number, { search, status, attendeeKey, starts, touches }: MeetingSearch) {
  const all = [sql`user_id = ${userId}`]
  if (search !== '') {
    const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    all.push(sql`(title ILIKE ${like} OR description ILIKE ${like} OR location ILIKE ${like})`)
  }
  if (status !== null) all.push(sql`status = ${status}`)
  if (attendeeKey !== null)
    all.push(
      sql`id IN (SELECT meeting_id FROM meeting_attendees WHERE user_id = ${userId} AND address_key = ${attendeeKey})`,
    )
  if (starts.from !== null) all.push(sql`start_time >= ${starts.from}`)
  if (starts.before !== null) all.push(sql`start_time < ${starts.before}`)
  if (touches.from !== null) all.push(sql`end_time > ${touches.from}`)
  if (touches.before !== null) all.push(sql`start_time < ${touches.before}`)
  return sql.join(all, sql` AND `)
}

/** The user's meetings with these ids by start time, each with its attendees. */
function withAttendees(db: Queryable, userId: number, ids: readonly number[]) {
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
    .where('meetings.id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('start_time')
    .orderBy('id')
}

export async function findMeeting(
  db: Queryable,
  userId: number,
  id: number,
): Promise<MeetingRow | undefined> {
  return withAttendees(db, userId, [id]).executeTakeFirst()
}

/** The meeting, locked until the transaction ends. */
export async function lockMeeting(tx: Tx, userId: number, id: number): Promise<MeetingRow | undefined> {
  await tx
    .selectFrom('meetings')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return findMeeting(tx, userId, id)
}

/** Adds a meeting with its attendees; returns its id. */
export async function insertMeeting(
  tx: Tx,
  meeting: Insertable<MeetingsTable>,
  attendees: readonly Attendee[],
): Promise<number> {
  const { id } = await tx.insertInto('meetings').values(meeting).returning('id').executeTakeFirstOrThrow()
  await addAttendees(tx, meeting.user_id, id, attendees)
  return id
}

/** Changes the given fields of a meeting; `attendees` replace the existing ones. */
export async function changeMeeting(
  tx: Tx,
  userId: number,
  id: number,
  changes: Omit<Updateable<MeetingsTable>, 'revision'>,
  attendees: readonly Attendee[] | null,
): Promise<void> {
  await tx
    .updateTable('meetings')
    .set({ ...changes, revision: sql`revision + 1` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
  if (attendees === null) return
  await tx
    .deleteFrom('meeting_attendees')
    .where('user_id', '=', userId)
    .where('meeting_id', '=', id)
    .execute()
  await addAttendees(tx, userId, id, attendees)
}

async function addAttendees(tx: Tx, userId: number, meetingId: number, attendees: readonly Attendee[]) {
  if (attendees.length === 0) return
  await tx
    .insertInto('meeting_attendees')
    .values(attendees.map((attendee) => ({ user_id: userId, meeting_id: meetingId, ...attendee })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a meeting; false when there was none. */
export const deleteMeeting = (tx: Tx, userId: number, id: number) => removeRow(tx, 'meetings', userId, id)

/** The user's meetings that overlap this span and are not cancelled, as spans. */
export async function busyTimes(db: Queryable, userId: number, from: Date, to: Date) {
  return db
    .selectFrom('meetings')
    .select(['start_time as start', 'end_time as end'])
    .where('user_id', '=', userId)
    .where('status', '!=', 'cancelled')
    .where('start_time', '<', to)
    .where('end_time', '>', from)
    .execute()
}
