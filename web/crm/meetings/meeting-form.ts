import { recipientsOf } from '#contract/formats/address-line.ts'
import { shortenLink } from '#contract/crm/meeting-links.ts'
import {
  distinctAttendees,
  type Meeting,
  meetingFaults,
  meetings,
  type MeetingStatus,
  type MeetingType,
} from '#contract/crm/meetings.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { addressOf } from '#web/crm/contacts/recipients.ts'
import { instantAt, wallTime } from './wall-time.ts'

/** The form as typed: times in the user's zone, attendees as one line. */
export type MeetingForm = {
  title: string
  description: string
  start_time: string
  end_time: string
  type: MeetingType
  location: string
  meeting_link: string
  status: MeetingStatus
  attendees: string
  notes: string
  reminder_minutes: string
}

/** The form's fields from top to bottom. */
export const FIELDS = [
  'title',
  'start_time',
  'end_time',
  'type',
  'status',
  'location',
  'meeting_link',
  'attendees',
  'description',
  'notes',
  'reminder_minutes',
] as const satisfies readonly (keyof MeetingForm)[]

type Body = BodyInput<typeof meetings.add>
export type MeetingChanges = Partial<Body>

const HOUR_MS = 3_600_000
export const USUAL_MS = HOUR_MS / 2
const FIRST_HOUR = '09:00'

/** A meeting as its form shows it. */
export function formOf(meeting: Meeting, timeZone: string): MeetingForm {
  const { reminder_minutes: reminder } = meeting
  return {
    title: meeting.title,
    description: meeting.description,
    start_time: wallTime(new Date(meeting.start_time), timeZone),
    end_time: wallTime(new Date(meeting.end_time), timeZone),
    type: meeting.type,
    location: meeting.location,
    meeting_link: meeting.meeting_link,
    status: meeting.status,
    attendees: meeting.attendees.join(', '),
    notes: meeting.notes,
    reminder_minutes: reminder === null ? '' : String(reminder),
  }
}

/** An empty form: it starts at the next full hour, or at nine o'clock on the selected day. */
export function emptyForm(now: Date, timeZone: string, day: string | null, attendee: string): MeetingForm {
  const nextHour = new Date(Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS)
  const isToday = day === null || day === wallTime(now, timeZone).slice(0, 10)
  const start = isToday ? nextHour : (instantAt(`${day}T${FIRST_HOUR}`, timeZone) ?? nextHour)
  return {
    title: '',
    description: '',
    start_time: wallTime(start, timeZone),
    end_time: wallTime(new Date(start.getTime() + USUAL_MS), timeZone),
    type: 'in-person',
    location: '',
    meeting_link: '',
    status: 'scheduled',
    attendees: attendee,
    notes: '',
    reminder_minutes: '',
  }
}

/** The attendees of a typed line as bare addresses, without duplicates. */
export function attendeesOf(typed: string): string[] {
  return distinctAttendees(recipientsOf(typed).map(addressOf))
}

/** The request body: times in UTC, a location only in person, a link only for a video call. */
export function bodyOf(form: MeetingForm, timeZone: string): Body {
  const { type, reminder_minutes: reminder } = form
  return {
    title: form.title.trim(),
    description: form.description.trim(),
    start_time: utc(form.start_time, timeZone),
    end_time: utc(form.end_time, timeZone),
    location: type === 'in-person' ? shortenLink(form.location.trim()) : '',
    type,
    status: form.status,
    notes: form.notes.trim(),
    meeting_link: type === 'video' ? shortenLink(form.meeting_link.trim()) : '',
    attendees: attendeesOf(form.attendees),
    reminder_minutes: reminder === '' ? null : (Number(reminder) as NonNullable<Body['reminder_minutes']>),
  }
}

// An invalid time is sent as typed; validation reports what is wrong.
function utc(wall: string, timeZone: string): string {
  return instantAt(wall, timeZone)?.toISOString() ?? wall
}

/**
 * The fields of the form that differ from the meeting. Times are compared as clock times: in the hour that the clocks
 * show twice, an untouched field must not move the meeting. Attendees are compared as sets.
 */
export function changesOf(form: MeetingForm, meeting: Meeting, timeZone: string): MeetingChanges {
  const before = formOf(meeting, timeZone)
  const was = bodyOf(before, timeZone)
  const is = bodyOf(form, timeZone)
  const changed = (Object.keys(is) as (keyof Body)[]).filter((name) => {
    if (name === 'start_time' || name === 'end_time') return form[name] !== before[name]
    if (name === 'attendees') return asSet(is.attendees) !== asSet(was.attendees)
    return is[name] !== was[name]
  })
  return Object.fromEntries(changed.map((name) => [name, is[name]]))
}

const asSet = (addresses: readonly string[] | null | undefined) =>
  (addresses ?? [])
    .map((address) => address.toLowerCase())
    .sort()
    .join(',')

/** The errors of the form, by field, with the server's messages. */
export function faultsOf(form: MeetingForm, timeZone: string): Partial<Record<keyof MeetingForm, string>> {
  const body = bodyOf(form, timeZone)
  const read = meetings.add.body?.safeParse(body)
  const faults: Partial<Record<keyof MeetingForm, string>> = {}
  // The rules for the whole form are checked together with those for each field; a field's own error comes first.
  const { type } = form
  const whole = { ...body, type, location: body.location ?? '', meeting_link: body.meeting_link ?? '' }
  for (const { field, why } of meetingFaults(whole)) faults[field] = why
  for (const { path, message } of read?.error?.issues ?? []) faults[path[0] as keyof MeetingForm] = message
  return faults
}

/**
 * The end of a meeting whose start moves to `start`. With `keepsLength` the duration stays the same; otherwise the end
 * moves only if it would not follow the start.
 */
export function endAfter(
  form: Pick<MeetingForm, 'start_time' | 'end_time'>,
  start: string,
  timeZone: string,
  keepsLength: boolean,
): string {
  const [from, until, to] = [form.start_time, form.end_time, start].map((wall) => instantAt(wall, timeZone))
  if (to == null) return form.end_time
  const length = from != null && until != null && until > from ? until.getTime() - from.getTime() : USUAL_MS
  if (until != null && until > to && !keepsLength) return form.end_time
  return wallTime(new Date(to.getTime() + length), timeZone)
}
