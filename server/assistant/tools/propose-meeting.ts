import { Temporal } from 'temporal-polyfill'
import * as z from 'zod/mini'
import {
  MEETING_PLACE_MAX,
  MEETING_TITLE_MAX,
  MEETING_TYPES,
  meetingFaults,
  type MeetingType,
  placesOf,
} from '#contract/crm/meetings.ts'
import { shortenLink } from '#contract/crm/meeting-links.ts'
import { id, line, requiredLine } from '#contract/platform/values.ts'
import { busyTimes, findMeeting, scheduleMeeting, updateMeeting } from '../../crm/meetings/meetings.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import { inOneTransaction } from './in-one-transaction.ts'
import { shownWords, spanWords } from './shown-words.ts'
import { sameContact } from './stored-contact.ts'
import { type Asking, proposingTool } from './tool.ts'

const PEOPLE_MAX = 20
const MINUTES_MAX = 24 * 60
const MINUTES_USUAL = 30
const NOT_A_TIME = 'This is not a date and time'

/** `2026-11-27T15:00` in the user's zone, or an instant. */
const start = z
  .string()
  .check(z.trim(), z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, NOT_A_TIME), z.maxLength(40))
const minutes = z.optional(z.number().check(z.int(), z.gte(5), z.lte(MINUTES_MAX)))
const place = z.optional(line(MEETING_PLACE_MAX))

const TYPE_WORDS: Record<MeetingType, string> = {
  'in-person': 'In person',
  video: 'Video',
  phone: 'Phone',
}

type Person = { contact_id: number; name: string; address: string }
type Scheduled = {
  title: string
  start_time: string
  end_time: string
  time_zone: string
  type: MeetingType
  location: string
  meeting_link: string
  people: Person[]
  /** What is in the calendar at that time already. */
  overlaps: number
}
type Moved = {
  meeting_id: number
  title: string
  was_start: string
  was_end: string
  start_time: string
  end_time: string
  time_zone: string
}

/** An instant from a local time or an instant. @throws Refusal 400 */
export function instantOf(said: string, zone: string): Date {
  try {
    if (/(?:Z|[+-]\d{2}:?\d{2})$/.test(said)) return new Date(Temporal.Instant.from(said).epochMilliseconds)
    return new Date(Temporal.PlainDateTime.from(said).toZonedDateTime(zone).epochMilliseconds)
  } catch {
    throw invalidInput(NOT_A_TIME, { start: NOT_A_TIME })
  }
}

export const scheduleMeetingTool = proposingTool({
  name: 'schedule_meeting',
  topics: ['calendar'],
  summary:
    'Put a meeting with contacts into the calendar; start is local time like 2026-11-27T15:00. Nobody is mailed an invitation',
  input: z.object({
    title: requiredLine(MEETING_TITLE_MAX, 'Please enter a title'),
    start,
    minutes,
    contact_ids: z.optional(z.array(id).check(z.maxLength(PEOPLE_MAX))),
    type: z.optional(z.enum(MEETING_TYPES)),
    location: place,
    meeting_link: place,
  }),
  editable: ['title', 'start', 'minutes', 'type', 'location', 'meeting_link'],
  async prepare(asking: Asking, input): Promise<Scheduled> {
    const { context, user } = asking
    const begins = instantOf(input.start, user.timeZone)
    if (begins <= context.clock.now())
      throw invalidInput('This time is over already. Please choose a later one.')
    const ends = new Date(begins.getTime() + (input.minutes ?? MINUTES_USUAL) * 60_000)
    const people = await Promise.all(
      [...new Set(input.contact_ids ?? [])].map((each) => personOf(asking, each)),
    )
    const given = {
      title: input.title,
      start_time: begins.toISOString(),
      end_time: ends.toISOString(),
      time_zone: user.timeZone,
      type: input.type ?? ('phone' as const),
      location: input.location ?? '',
      meeting_link: shortenLink(input.meeting_link ?? ''),
    }
    // The card shows only what is kept: a place of a meeting in person, a link of a video call.
    const kept = placesOf(given)
    const content = { ...given, location: kept.location ?? '', meeting_link: kept.meeting_link ?? '' }
    const [fault] = meetingFaults(content)
    if (fault !== undefined) throw invalidInput(fault.why, { [fault.field]: fault.why })
    return { ...content, people, overlaps: (await busyTimes(context.db, user.id, begins, ends)).length }
  },
  summarise: ({ title }: Scheduled) => `Schedule “${shownWords(title, 80)}”`,
  lines: (content: Scheduled) => [
    { label: 'Title', text: content.title },
    {
      label: 'When',
      text: spanWords(new Date(content.start_time), new Date(content.end_time), content.time_zone),
    },
    { label: 'Type', text: TYPE_WORDS[content.type] },
    ...(content.location === '' ? [] : [{ label: 'Location', text: content.location }]),
    ...(content.meeting_link === '' ? [] : [{ label: 'Meeting link', text: content.meeting_link }]),
    ...(content.people.length === 0
      ? []
      : [
          {
            label: 'Attendees',
            text: content.people.map(({ name, address }) => `${name} <${address}>`).join(', '),
          },
        ]),
    ...(content.overlaps === 0 ? [] : [{ label: 'Note', text: 'You have another meeting at that time.' }]),
  ],
  async perform(asking, content, settlement) {
    stillToCome(asking, content.start_time)
    for (const { contact_id: contactId, address } of content.people)
      await sameContact(asking, contactId, address)
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const meeting = await scheduleMeeting(context, user.id, {
        title: content.title,
        description: '',
        start_time: content.start_time,
        end_time: content.end_time,
        location: content.location,
        meeting_link: content.meeting_link,
        type: content.type,
        status: 'scheduled',
        notes: '',
        attendees: content.people.map(({ address }) => address),
        reminder_minutes: null,
        time_zone: content.time_zone,
      })
      return { label: content.title, path: `/meetings?open=${meeting.id}` }
    })
  },
})

export const moveMeetingTool = proposingTool({
  name: 'move_meeting',
  topics: ['calendar'],
  summary: 'Move a meeting to another time; without minutes it stays as long as it was',
  input: z.object({ meeting_id: id, start, minutes }),
  editable: ['start', 'minutes'],
  async prepare({ context, user }: Asking, input): Promise<Moved> {
    const meeting = await findMeeting(context.db, user.id, input.meeting_id)
    if (meeting === undefined) throw notFound('This meeting does not exist.')
    const begins = instantOf(input.start, user.timeZone)
    if (begins <= context.clock.now())
      throw invalidInput('This time is over already. Please choose a later one.')
    const length =
      input.minutes === undefined
        ? meeting.end_time.getTime() - meeting.start_time.getTime()
        : input.minutes * 60_000
    return {
      meeting_id: meeting.id,
      title: meeting.title,
      was_start: meeting.start_time.toISOString(),
      was_end: meeting.end_time.toISOString(),
      start_time: begins.toISOString(),
      end_time: new Date(begins.getTime() + length).toISOString(),
      time_zone: user.timeZone,
    }
  },
  summarise: ({ title }: Moved) => `Move “${shownWords(title, 80)}”`,
  lines: (content: Moved) => [
    { label: 'Title', text: content.title },
    {
      label: 'From',
      text: spanWords(new Date(content.was_start), new Date(content.was_end), content.time_zone),
    },
    {
      label: 'To',
      text: spanWords(new Date(content.start_time), new Date(content.end_time), content.time_zone),
    },
  ],
  async perform(asking, content, settlement) {
    stillToCome(asking, content.start_time)
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const meeting = await findMeeting(context.db, user.id, content.meeting_id)
      if (meeting === undefined) throw notFound('This meeting does not exist.')
      if (
        meeting.title !== content.title ||
        meeting.start_time.toISOString() !== content.was_start ||
        meeting.end_time.toISOString() !== content.was_end
      )
        throw conflict('This meeting has been changed since. Please ask again.')
      await updateMeeting(context, user.id, content.meeting_id, {
        start_time: content.start_time,
        end_time: content.end_time,
      })
      return { label: content.title, path: `/meetings?open=${content.meeting_id}` }
    })
  },
})

/** @throws Refusal 409 for a card that was left lying until its time was over */
function stillToCome({ context }: Asking, starts: string): void {
  if (new Date(starts) <= context.clock.now())
    throw conflict('This time is over by now. Please edit it, or ask again.')
}

async function personOf({ context, user }: Asking, contactId: number): Promise<Person> {
  const { id: found, name, email } = await getContact(context, user.id, contactId)
  return { contact_id: found, name: shownWords(name || email, 80), address: email }
}
