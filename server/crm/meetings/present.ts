import type { Meeting } from '#contract/crm/meetings.ts'
import type { MeetingRow } from './store.ts'

/** A meeting in the contract's shape. */
export function presentMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start_time: row.start_time.toISOString(),
    end_time: row.end_time.toISOString(),
    location: row.location,
    attendees: row.attendees.map(({ address }) => address),
    type: row.type,
    status: row.status,
    notes: row.notes,
    meeting_link: row.meeting_link,
    reminder_minutes: row.reminder_minutes,
  }
}
