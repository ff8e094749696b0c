import type { BodyOf } from '#contract/platform/endpoint.ts'
import { meetingFaults, type meetings, placesOf } from '#contract/crm/meetings.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidInput, notFound } from '../../platform/errors.ts'
import { attendeesFrom, publishMeetings } from './schedule-meeting.ts'
import { reminderTime } from './meeting-times.ts'
import { changeMeeting, deleteMeeting, findMeeting, lockMeeting, type MeetingRow } from './store.ts'

type Input = BodyOf<typeof meetings.update>

/**
 * Changes the fields given in `input` and keeps the rest, so that two people who change different fields both
 * succeed. What belongs together (times, kind and place) is checked in its final state.
 *
 * @throws Refusal 404; 400 with the field that would be wrong
 */
export async function updateMeeting(
  context: Context,
  userId: number,
  id: number,
  input: Input,
): Promise<MeetingRow> {
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const before = await lockMeeting(tx, userId, id)
    if (before === undefined) throw noMeeting()
    const { attendees, ...changes } = given(input)
    if (Object.keys(changes).length === 0 && attendees === undefined) return before
    const after = placesOf({ ...before, ...changes })
    const faults = meetingFaults(after)
    if (faults[0] !== undefined)
      throw invalidInput(faults[0].why, Object.fromEntries(faults.map(({ field, why }) => [field, why])))
    await changeMeeting(
      tx,
      userId,
      id,
      {
        ...changes,
        location: after.location,
        meeting_link: after.meeting_link,
        remind_at: movesReminder(before, after) ? reminderTime(after, now) : before.remind_at,
        changed_at: now,
      },
      attendees === undefined ? null : attendeesFrom(attendees),
    )
    await publishMeetings(context, tx, userId)
    return (await findMeeting(tx, userId, id)) as MeetingRow
  })
}

export const noMeeting = () => notFound('This meeting does not exist.')

/** The given fields in the table's shapes; null clears a field. */
function given({
  start_time: start,
  end_time: end,
  description,
  notes,
  location,
  meeting_link: link,
  attendees,
  ...rest
}: Input) {
  const text = <Name extends string>(name: Name, value: string | null | undefined) =>
    (value === undefined ? {} : { [name]: value ?? '' }) as { [Key in Name]?: string }
  const fields = {
    ...text('description', description),
    ...text('notes', notes),
    ...text('location', location),
    ...text('meeting_link', link),
    ...(start === undefined ? {} : { start_time: new Date(start) }),
    ...(end === undefined ? {} : { end_time: new Date(end) }),
    ...(attendees === undefined ? {} : { attendees: attendees ?? [] }),
  }
  return { ...(rest as Partial<Pick<MeetingRow, keyof typeof rest>>), ...fields }
}

// A reminder that was sent is not sent again because the title changed.
function movesReminder(before: MeetingRow, after: MeetingRow): boolean {
  return (
    before.start_time.getTime() !== after.start_time.getTime() ||
    before.reminder_minutes !== after.reminder_minutes ||
    before.status !== after.status
  )
}

/** @throws Refusal 404 */
export async function removeMeeting(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await deleteMeeting(tx, userId, id))) throw noMeeting()
    await publishMeetings(context, tx, userId)
  })
}
