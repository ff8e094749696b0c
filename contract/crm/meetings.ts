import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { isWebLink, shortenLink } from './meeting-links.ts'
import { INSTANT_MAX, NO_INSTANT, typedInstant } from '../platform/typed-instant.ts'
import {
  atMost,
  byIdOf,
  EMAIL_ADDRESS_MAX,
  id,
  instant,
  isEmailAddress,
  paging,
  requiredLine,
  text,
  timeZone,
} from '../platform/values.ts'

export const MEETING_TYPES = ['in-person', 'video', 'phone'] as const
export const MEETING_STATUSES = ['scheduled', 'completed', 'cancelled'] as const
export const MEETING_FILTERS = ['all', 'upcoming', 'today', 'tomorrow', 'this_week'] as const
/** How many minutes before the start a reminder may be sent. */
export const REMINDER_MINUTES = [5, 15, 60, 1440] as const

export type MeetingType = (typeof MEETING_TYPES)[number]
export type MeetingStatus = (typeof MEETING_STATUSES)[number]
export type MeetingFilter = (typeof MEETING_FILTERS)[number]

export const MEETING_TITLE_MAX = 300
export const MEETING_DESCRIPTION_MAX = 20_000
export const MEETING_NOTES_MAX = 20_000
/** Applies to places and links: what maps and video services provide for copying is long. */
export const MEETING_PLACE_MAX = 4000
export const ATTENDEES_MAX = 500
/** JSON of a meeting in bytes: both texts and all attendees at their longest. */
const MEETING_BODY_MAX = 710_000
/** "Upcoming" includes meetings that began this recently: latecomers still look for the link. */
export const UPCOMING_GRACE_MS = 5 * 60_000

export const LOCATION_MISSING = 'Please select a location for the in-person meeting'
export const LINK_MISSING = 'Please provide the meeting link for the video call'
/** The sentence for an invalid link. */
export const LINK_MALFORMED = `${LINK_MISSING}. This is not a link: links begin with https:// and have no blanks.`
export const END_BEFORE_START = 'Please choose an end time after the start time'

const YEAR_MIN = 1970
const YEAR_MAX = 2199

/** False for a three-digit year and the like: a typing error, or a year still being typed. */
export function isUsualYear(year: number): boolean {
  return year >= YEAR_MIN && year <= YEAR_MAX
}

/** An instant of a meeting; `missing` is the sentence next to an empty field. */
const time = (missing: string) =>
  z
    .pipe(
      z.string(missing).check(z.trim(), z.minLength(1, missing), atMost(INSTANT_MAX, NO_INSTANT)),
      typedInstant,
    )
    .check(
      z.refine(
        (at) => isUsualYear(new Date(at).getUTCFullYear()),
        `Please choose a year from ${YEAR_MIN} to ${YEAR_MAX}`,
      ),
    )

/** A place or a link; a web address is shortened, though encoding (ü becomes %C3%BC) may lengthen it a little. */
const place = text(MEETING_PLACE_MAX).check(
  z.overwrite(shortenLink),
  atMost(MEETING_PLACE_MAX, `Please keep this under ${MEETING_PLACE_MAX} characters`),
)

/** Typed attendees as a list: trimmed, without blanks, each address once, ignoring case. */
export function distinctAttendees(typed: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const attendee of typed.map((each) => each.trim())) {
    const key = attendee.toLowerCase()
    if (attendee !== '' && !byKey.has(key)) byKey.set(key, attendee)
  }
  return [...byKey.values()]
}

/** Blanks around an address do not count; a longer text is none. */
const attendee = z.string().check(z.trim(), atMost(EMAIL_ADDRESS_MAX, 'Please enter valid email addresses'))

const TOO_MANY_ATTENDEES = `Please invite at most ${ATTENDEES_MAX} attendees`
const attendees = z.array(attendee).check(
  // Those typed twice do not count, but are read: there is a limit to them as well.
  atMost(2 * ATTENDEES_MAX, TOO_MANY_ATTENDEES),
  z.overwrite((typed) => distinctAttendees(typed)),
  atMost(ATTENDEES_MAX, TOO_MANY_ATTENDEES),
  z.refine((list) => list.every(isEmailAddress), {
    error: ({ input }) => {
      const wrong = (input as string[]).find((each) => !isEmailAddress(each)) ?? ''
      return `Please enter valid email addresses: “${wrong.slice(0, 80)}” is none`
    },
  }),
)

const fields = {
  title: requiredLine(MEETING_TITLE_MAX, 'Please enter a title'),
  description: z.nullable(text(MEETING_DESCRIPTION_MAX)),
  start_time: time('Please choose a start time'),
  end_time: time('Please choose an end time'),
  location: z.nullable(place),
  type: z.enum(MEETING_TYPES),
  status: z.enum(MEETING_STATUSES),
  notes: z.nullable(text(MEETING_NOTES_MAX)),
  meeting_link: z.nullable(place),
  attendees: z.nullable(attendees),
  /** Minutes before the start at which a mail reminds the user; null for none. */
  reminder_minutes: z.nullable(z.literal(REMINDER_MINUTES, 'This is not one of the choices')),
  /** The time zone in which the user reads the times: a reminder is written in it. */
  time_zone: z.optional(timeZone),
}

/** The fields of a meeting that depend on each other. */
export type MeetingWhen = { start_time: string | Date; end_time: string | Date }
export type MeetingWhere = { type: MeetingType; location: string | null; meeting_link: string | null }

/**
 * What is wrong with a meeting as a whole: each wrong field with its sentence. The browser's form uses it, and so
 * does the server after merging a partial change.
 */
export function meetingFaults(
  meeting: MeetingWhen & MeetingWhere,
): { field: 'end_time' | 'location' | 'meeting_link'; why: string }[] {
  const { type, location, meeting_link: link } = meeting
  return [
    ...(new Date(meeting.end_time) <= new Date(meeting.start_time)
      ? [{ field: 'end_time', why: END_BEFORE_START } as const]
      : []),
    ...(type === 'in-person' && !location ? [{ field: 'location', why: LOCATION_MISSING } as const] : []),
    ...(type === 'video' && !isWebLink(link ?? '')
      ? [{ field: 'meeting_link', why: (link ?? '').trim() === '' ? LINK_MISSING : LINK_MALFORMED } as const]
      : []),
  ]
}

/** Which of place and link is kept: a place only for meetings in person, a link only for video calls. */
export function placesOf<T extends MeetingWhere>(meeting: T): T {
  const { type, location, meeting_link: link } = meeting
  return {
    ...meeting,
    location: type === 'in-person' ? (location ?? '') : '',
    meeting_link: type === 'video' ? (link ?? '') : '',
  }
}

const newMeeting = z
  .object({
    title: fields.title,
    description: z._default(fields.description, ''),
    start_time: fields.start_time,
    end_time: fields.end_time,
    location: z._default(fields.location, ''),
    type: z._default(fields.type, 'in-person'),
    status: z._default(fields.status, 'scheduled'),
    notes: z._default(fields.notes, ''),
    meeting_link: z._default(fields.meeting_link, ''),
    attendees: z._default(fields.attendees, []),
    reminder_minutes: z._default(fields.reminder_minutes, null),
    time_zone: fields.time_zone,
  })
  .check((context) => {
    for (const { field, why } of meetingFaults(context.value))
      context.issues.push({ code: 'custom', message: why, path: [field], input: context.value[field] })
  })

export const meeting = z.object({
  id,
  title: z.string(),
  description: z.string(),
  start_time: instant,
  end_time: instant,
  location: z.string(),
  attendees: z.array(z.string()),
  type: z.enum(MEETING_TYPES),
  status: z.enum(MEETING_STATUSES),
  notes: z.string(),
  meeting_link: z.string(),
  reminder_minutes: z.nullable(z.number()),
})
export type Meeting = z.infer<typeof meeting>

const byId = byIdOf('Invalid meeting ID')

export const meetings = {
  list: endpoint({
    method: 'GET',
    path: '/meetings/',
    summary: 'Meetings by start time; of more than a page asks for, without page_size those nearest to now',
    query: z.object({
      /** Part of the title, the description or the place. */
      search: z.optional(text(200)),
      filter: z.optional(z.enum(MEETING_FILTERS)),
      /** The time zone for "today"; by default the user's own. */
      time_zone: z.optional(timeZone),
      status: z.optional(z.enum(['all', ...MEETING_STATUSES])),
      /** Meetings that overlap the span from `from` (included) to `to` (excluded). */
      from: z.optional(typedInstant),
      to: z.optional(typedInstant),
      /** One address among the attendees. */
      attendee: z.optional(text(254)),
      ...paging,
    }),
    reply: z.array(meeting),
  }),
  get: endpoint({
    method: 'GET',
    path: '/meetings/:id',
    summary: 'One meeting',
    params: byId,
    reply: meeting,
  }),
  calendar: endpoint({
    method: 'GET',
    path: '/meetings/:id/calendar',
    summary: 'One meeting as an .ics file (RFC 5545) for any calendar program',
    params: byId,
    download: 'text/calendar',
  }),
  add: endpoint({
    method: 'POST',
    path: '/meetings/',
    summary: 'Schedule a meeting',
    idempotent: true,
    bodyMax: MEETING_BODY_MAX,
    body: newMeeting,
    reply: meeting,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/meetings/:id',
    summary: 'Change a meeting; an absent field is kept',
    params: byId,
    bodyMax: MEETING_BODY_MAX,
    body: z.object({
      title: z.optional(fields.title),
      description: z.optional(fields.description),
      start_time: z.optional(fields.start_time),
      end_time: z.optional(fields.end_time),
      location: z.optional(fields.location),
      type: z.optional(fields.type),
      status: z.optional(fields.status),
      notes: z.optional(fields.notes),
      meeting_link: z.optional(fields.meeting_link),
      attendees: z.optional(fields.attendees),
      reminder_minutes: z.optional(fields.reminder_minutes),
      time_zone: fields.time_zone,
    }),
    reply: meeting,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/meetings/:id',
    summary: 'Delete a meeting',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
}
