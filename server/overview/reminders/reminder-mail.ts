import { Temporal } from 'temporal-polyfill'
import type { MeetingRow } from '../../crm/meetings/meetings.ts'

const ATTENDEES_SHOWN = 20
const DESCRIPTION_CHARS = 2000

type Reminded = Pick<
  MeetingRow,
  | 'id'
  | 'title'
  | 'description'
  | 'start_time'
  | 'end_time'
  | 'location'
  | 'meeting_link'
  | 'type'
  | 'attendees'
>

/** The text of a reminder: what, when in the user's time, where, with whom. */
export function reminderMail(
  meeting: Reminded,
  timeZone: string,
  publicUrl: string,
): { subject: string; text: string } {
  const start = zoned(meeting.start_time, timeZone)
  const end = zoned(meeting.end_time, timeZone)
  const day = start.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
  const isOneDay = start.toPlainDate().equals(end.toPlainDate())
  const until = isOneDay
    ? time(end)
    : `${end.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })}, ${time(end)}`
  const place = { 'in-person': meeting.location, video: meeting.meeting_link, phone: 'By phone' }[
    meeting.type
  ]
  const others = meeting.attendees.map(({ address }) => address)
  const more = others.length - ATTENDEES_SHOWN
  const text = [
    meeting.title,
    `${day}, ${time(start)} – ${until} (${timeZone.replaceAll('_', ' ')})`,
    ...(place === '' ? [] : [place]),
    ...(others.length === 0
      ? []
      : [`With ${others.slice(0, ATTENDEES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(meeting.description === ''
      ? []
      : ['', meeting.description.slice(0, DESCRIPTION_CHARS).toWellFormed()]),
    '',
    `Open it in Howl: ${publicUrl}/meetings?open=${meeting.id}`,
  ].join('\n')
  return { subject: `Reminder: ${meeting.title}, ${day} at ${time(start)}`, text }
}

const time = (at: Temporal.ZonedDateTime) =>
  at.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false })

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
