import { Temporal } from 'temporal-polyfill'
import { readToday } from '../../overview/dashboard/dashboard.ts'
import type { MeetingRow } from '../../crm/meetings/meetings.ts'
import { freeTimes, meetingFact, meetingFacts, meetingRows } from '../tools/read-calendar.ts'
import { figuresOf } from '../tools/read-figures.ts'
import { taskFacts } from '../tools/read-tasks.ts'
import { countWords, dayOf, dayWords, shownWords } from '../tools/shown-words.ts'
import { pageSource } from '../tools/sources.ts'
import type { Found } from '../tools/tool.ts'
import { list, state } from './answer.ts'
import { boundsOf } from './answer-count.ts'
import { saidPeriod } from './said-time.ts'
import { unknownWords } from './unknown-words.ts'
import { cleanName, contactsNamed, contactsNearly, whoIs } from './who.ts'
import type { RuleCall } from './rule-call.ts'

/** Days that are looked through for free times. */
const FREE_DAYS = 5
const WITH = /\b(?:with|see|meet)\s+(?<who>.+?)(?:\s+(?:on|at|about|this|next|today|tomorrow|in|again)\b|$)/i

/** Meetings of a day, of a span, with somebody, or those to come. */
export async function answerMeetings(call: RuleCall): Promise<void> {
  const { asking, answer, question, subject } = call
  const { text } = question
  const period = saidPeriod(text, asking.context.clock.now(), asking.user.timeZone)
  const words = cleanName(WITH.exec(text)?.groups?.['who'] ?? '') || unknownWords(text).join(' ')
  const isWho = /^(?:i|we|us|me)$/i.test(words)
  const said = isWho || unknownWords(words).length === 0 ? '' : words
  const people = said === '' ? [] : await contactsNamed(asking, cleanName(said))
  const [person] = people.length > 0 ? people : said === '' ? [] : await contactsNearly(asking, said)
  // Of several people of this name one must be meant.
  if (people.length > 1 && (await whoIs(asking, answer, said, subject)) === null) return
  const [from, to] = period === null ? [null, null] : boundsOf(period, asking.user.timeZone)
  const isNext = /\bnext (?:meeting|appointment|call)\b|\bwhen\b|\bwhat time\b/i.test(text) && period === null
  const { rows, total } = await meetingRows(asking, {
    from,
    to,
    search: person === undefined ? said : '',
    limit: isNext ? 1 : 10,
    ...(person === undefined ? {} : { attendee: person.email }),
  })
  const with_ =
    person === undefined
      ? said === ''
        ? ''
        : ` about “${shownWords(said, 80)}”`
      : ` with ${shownWords(person.name || person.email, 80)}`
  const found = { facts: rows.map((row) => meetingFact(asking, row)), total, rows }
  const when = period === null ? ' to come' : ` ${period.words}`
  if (said !== '' && person === undefined && found.total === 0)
    return void answer.lines.push(`I found no meeting${with_}${when}, and no contact of this name.`)
  if (/\bwhom?\b/i.test(text) && found.facts.length > 0) await namePeople(call, found.rows)
  list(
    answer,
    isNext ? `Your next meeting${with_}:` : `Your meetings${with_}${when}:`,
    isNext ? { ...found, total: found.facts.length } : found,
    `You have no meeting${with_}${when}.`,
  )
}

/** People of meetings who are looked up by name. */
const NAMED_MAX = 6

async function namePeople({ asking, answer }: RuleCall, rows: readonly MeetingRow[]): Promise<void> {
  const addresses = new Set(rows.flatMap(({ attendees }) => attendees.map(({ address }) => address)))
  const names: string[] = []
  for (const address of [...addresses].slice(0, NAMED_MAX)) {
    const [contact] = await contactsNamed(asking, address)
    names.push(shownWords(contact?.name || address, 80))
  }
  if (names.length > 0) answer.lines.push(`You meet ${names.join(', ')}.`)
}

/** Free times of the day that was said, else of the next working days. */
export async function answerFreeTimes({ asking, answer, question }: RuleCall): Promise<void> {
  const { context, user } = asking
  const period = saidPeriod(question.text, context.clock.now(), user.timeZone)
  const days =
    period === null ? workingDays(dayOf(context.clock.now(), user.timeZone)) : daysOf(period.from, period.to)
  const found: Found = { facts: [], total: 0 }
  for (const day of days) found.facts.push(...(await freeTimes(asking, day)).facts)
  found.total = found.facts.length
  const when = period === null ? 'in the next days' : period.words
  list(
    answer,
    `Free between 9:00 and 17:00 ${when}:`,
    found,
    `Nothing is free ${when} between 9:00 and 17:00.`,
  )
}

function daysOf(from: string, to: string): string[] {
  const last = Temporal.PlainDate.from(to)
  const days: string[] = []
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    if (from === to || day.dayOfWeek <= 5) days.push(day.toString())
    if (days.length >= FREE_DAYS) break
  }
  return days
}

const workingDays = (today: string) =>
  daysOf(today, Temporal.PlainDate.from(today).add({ days: 10 }).toString())

/** What is waiting today. */
export async function answerToday({ asking, answer }: RuleCall): Promise<void> {
  const { context, user } = asking
  const now = context.clock.now()
  const day = dayOf(now, user.timeZone)
  const [from, to] = boundsOf({ from: day, to: day, words: 'today', isPast: false }, user.timeZone)
  const [today, meetings, tasks, invoices] = await Promise.all([
    readToday(context, user.id, user.timeZone),
    meetingFacts(asking, { from, to, search: '', limit: 8 }),
    taskFacts(asking, { search: '', due: 'by_today', completed: false, limit: 8 }),
    figuresOf(asking, ['invoices']),
  ])
  answer.lines.push(`It is ${dayWords(day, now, user.timeZone)}.`)
  list(answer, 'Meetings today:', meetings, 'No meetings today.')
  list(answer, 'Due today or overdue:', tasks, 'No task is due.')
  state(answer, {
    text: `${countWords(today.unread_replies, 'unread reply', 'unread replies')}.`,
    source: pageSource('Unread emails', '/emails?folder=inbox&filter=unread'),
  })
  if (today.overdue_invoices > 0) for (const fact of invoices.facts) state(answer, fact)
}
