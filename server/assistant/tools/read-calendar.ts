import { Temporal } from 'temporal-polyfill'
import * as z from 'zod/mini'
import { isDay } from '#contract/platform/typed-instant.ts'
import { line } from '#contract/platform/values.ts'
import { busyTimes, type MeetingRow, pageOfMeetings } from '../../crm/meetings/meetings.ts'
import { meetingSource, pageSource } from './sources.ts'
import { clockWords, dayWords, shownWords, timeWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool, ROWS_MAX, ROWS_USUAL } from './tool.ts'

/** Free times are looked for in working hours. */
const FIRST_HOUR = 9
const END_HOUR = 17
const FREE_MINUTES = 30

const day = z.string().check(z.refine(isDay, 'This is not a date'))

export const listMeetingsTool = readingTool({
  name: 'list_meetings',
  topics: ['calendar'],
  summary: 'Meetings from a day to a day (both included), or those to come; gives their ids',
  input: z.object({
    from: z.optional(day),
    to: z.optional(day),
    search: z.optional(line(200)),
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))),
  }),
  run: async (asking, { from, to, search, limit }) =>
    meetingFacts(asking, {
      from: from === undefined ? null : startOf(from, asking.user.timeZone),
      to:
        to === undefined
          ? null
          : startOf(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), asking.user.timeZone),
      search: search ?? '',
      limit: limit ?? ROWS_USUAL,
    }),
})

export const findFreeTimes = readingTool({
  name: 'find_free_times',
  topics: ['calendar'],
  summary: 'Free times of a day between 9:00 and 17:00',
  input: z.object({ day }),
  run: async (asking, given) => freeTimes(asking, given.day),
})

/** The first instant of a day in a zone. */
export const startOf = (from: string, zone: string) =>
  new Date(Temporal.PlainDate.from(from).toZonedDateTime({ timeZone: zone }).epochMilliseconds)

/** Meetings that are not cancelled; without a span those to come. */
export async function meetingFacts(
  asking: Asking,
  asked: { from: Date | null; to: Date | null; search: string; attendee?: string; limit: number },
): Promise<Found> {
  const { rows, total } = await meetingRows(asking, asked)
  return { facts: rows.map((row) => meetingFact(asking, row)), total }
}

export async function meetingRows(
  { context, user }: Asking,
  asked: Parameters<typeof meetingFacts>[1],
): Promise<{ rows: MeetingRow[]; total: number }> {
  const { from, to } = asked
  return pageOfMeetings(context, user, {
    ...(from === null && to === null ? { filter: 'upcoming' as const } : {}),
    ...(from === null ? {} : { from: from.toISOString() }),
    ...(to === null ? {} : { to: to.toISOString() }),
    ...(asked.attendee === undefined ? {} : { attendee: asked.attendee }),
    search: asked.search,
    status: 'scheduled',
    page: 1,
    page_size: asked.limit,
  })
}

export function meetingFact({ context, user }: Asking, meeting: MeetingRow): Fact {
  const people = meeting.attendees.map(({ address }) => address)
  const with_ =
    people.length === 0
      ? ''
      : ` with ${shownWords(people.slice(0, 3).join(', '))}${people.length > 3 ? ` and ${people.length - 3} more` : ''}`
  const where = meeting.type === 'in-person' ? shownWords(meeting.location, 80) : meeting.type
  return {
    text: `**${shownWords(meeting.title)}**, ${timeWords(meeting.start_time, context.clock.now(), user.timeZone)} to ${clockWords(meeting.end_time, user.timeZone)}${with_}${where === '' ? '' : `, ${where}`}`,
    source: meetingSource(meeting),
  }
}

/** What is free of a day in working hours, at least half an hour long, from now on. */
export async function freeTimes({ context, user }: Asking, on: string): Promise<Found> {
  const now = context.clock.now()
  const date = Temporal.PlainDate.from(on)
  const hour = (at: number) =>
    new Date(date.toZonedDateTime({ timeZone: user.timeZone, plainTime: { hour: at } }).epochMilliseconds)
  const [opens, closes] = [hour(FIRST_HOUR), hour(END_HOUR)]
  const busy = (await busyTimes(context.db, user.id, opens, closes)).toSorted(
    (one, other) => one.start.getTime() - other.start.getTime(),
  )
  const facts: Fact[] = []
  let free = opens < now ? now : opens
  for (const { start, end } of [...busy, { start: closes, end: closes }]) {
    if (start.getTime() - free.getTime() >= FREE_MINUTES * 60_000)
      facts.push({
        text: `${dayWords(on, now, user.timeZone)}, ${clockWords(free, user.timeZone)} to ${clockWords(start, user.timeZone)}`,
        source: pageSource('Calendar', '/meetings'),
      })
    if (end > free) free = end
  }
  return { facts, total: facts.length }
}
