import { Temporal } from 'temporal-polyfill'
import type { ContactRow } from '../../crm/contacts/contacts.ts'
import { freeTimes, meetingRows } from '../tools/read-calendar.ts'
import { shownWords } from '../tools/shown-words.ts'
import { meetingSource } from '../tools/sources.ts'
import { cite, list, propose } from './answer.ts'
import { withoutTime } from './propose-task-by-rules.ts'
import { saidTime, withoutDuration } from './said-time.ts'
import { cleanName, contactsNamed, contactsNearly, whoIs } from './who.ts'
import type { RuleCall } from './rule-call.ts'

const WITH =
  /\b(?:with|call|phone|meet)\s+(?!with\b)(?<who>.+?)(?:\s+(?:about|regarding|on the|to (?:discuss|talk)|at|in|over|via|by|for|re)\b|[,;:]|$)/i
const ABOUT = /\b(?:about|regarding|to discuss|to talk about|re:?)\s+(?<about>.+)$/i
const PLACE = /\b(?:at|in)\s+(?<place>(?:the\s+)?\p{Lu}.+?)(?:\s+(?:about|regarding|with|to discuss)\b|$)/u
const LINK = /https:\/\/\S+/

/** A meeting with people from the contacts, at the time that was said. */
export async function proposeMeeting({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { context, user } = asking
  const [link] = LINK.exec(question.text) ?? []
  const sentence = link === undefined ? question.text : question.text.replace(link, ' ')
  const time = saidTime(sentence, context.clock.now(), user.timeZone)
  const rest = withoutTime(withoutDuration(sentence).text.replaceAll(/\s+/g, ' '), time?.words)
  const about = ABOUT.exec(rest)?.groups?.['about']?.trim()
  const withoutTopic = rest.replace(ABOUT, '').trim()
  const said = question.named['person'] ?? WITH.exec(withoutTopic)?.groups?.['who'] ?? ''
  const people = await attendees({ asking, answer, question, subject }, said)
  if (people === null) return
  if (time === null)
    return void answer.lines.push('Please tell me when: “Schedule a call with Ann on Friday at 3”.')
  if (time.at === null) {
    const free = await freeTimes(asking, time.day)
    return list(
      answer,
      'Please tell me the hour. Free that day:',
      free,
      'Please tell me the hour. Nothing is free that day between 9:00 and 17:00.',
    )
  }
  const place = PLACE.exec(withoutTopic.replace(/\bwith\s+.*?(?=\s(?:at|in)\b|$)/i, ''))?.groups?.['place']
  const kind = /\b(?:lunch|coffee|demo|interview|catch-?up)\b/i.exec(withoutTopic)?.[0]
  const isVideo = /\bvideo\b/i.test(withoutTopic)
  const isCall = /\bcall\b|\bphone\b/i.test(withoutTopic)
  const noun =
    kind === undefined
      ? isCall
        ? 'Call'
        : 'Meeting'
      : kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const names = people.map((each) => each.name || each.email).join(', ')
  const title = `${noun}${names === '' ? '' : ` with ${names}`}${about === undefined ? '' : `: ${about}`}`
  const type = link === undefined ? (place === undefined ? 'phone' : 'in-person') : 'video'
  await propose(asking, answer, 'schedule_meeting', {
    title: title.slice(0, 300),
    start: localTime(time.at, user.timeZone),
    ...(time.minutes === null ? {} : { minutes: Math.max(5, time.minutes) }),
    contact_ids: people.map(({ id }) => id),
    type,
    ...(type === 'in-person' && place !== undefined ? { location: place } : {}),
    ...(link === undefined ? {} : { meeting_link: link }),
  })
  answer.lines.push(
    isVideo && link === undefined
      ? 'I would put this into your calendar. A video call needs its link, so I took it for a call by phone; you can edit it:'
      : 'I would put this into your calendar. Nobody is mailed an invitation:',
  )
}

/** Everybody who was named; null if one of them is unclear, and the answer says so. */
async function attendees({ asking, answer, subject }: RuleCall, said: string): Promise<ContactRow[] | null> {
  if (cleanName(said) === '') return []
  const whole = await contactsNamed(asking, cleanName(said))
  const names = whole.length > 0 ? [said] : said.split(/\s*(?:,|&|\band\b)\s*/i).filter((name) => name !== '')
  const people: ContactRow[] = []
  for (const name of names) {
    const person = await whoIs(asking, answer, name, subject)
    if (person === null) return null
    people.push(person)
  }
  return people
}

/** `2026-11-27T15:00`, as the tools take it. */
export function localTime(at: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** Another time for a meeting to come, found by whom it is with or by its title. */
export async function proposeMove({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { context, user } = asking
  const now = context.clock.now()
  // The time to move to comes last: "move the call on Monday to Friday at 3".
  const said = question.named['what'] ?? ''
  const at = said.search(/\s+(?:to|until|till)\s+(?!discuss|talk)/i)
  const [which, target] =
    at < 0 ? [said, said] : [said.slice(0, at), said.slice(said.lastIndexOf(' to ') + 1)]
  const time = saidTime(at < 0 ? said : target, now, user.timeZone)
  if (time === null)
    return void answer.lines.push('Please tell me the new time: “Move the call with Ann to Friday at 3”.')
  const named = withoutTime(which, at < 0 ? time.words : saidTime(which, now, user.timeZone)?.words)
  const who = /\bwith\s+(?<who>.+)$/i.exec(named)?.groups?.['who']
  const person = who === undefined ? null : await whoIs(asking, answer, cleanName(who), subject)
  if (who !== undefined && person === null) return
  const title =
    who === undefined
      ? named
          .replace(/\b(?:the|my|our|meeting|call|appointment|back)\b/gi, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim()
      : ''
  const toCome = (search: string, attendee?: string) =>
    meetingRows(asking, {
      from: null,
      to: null,
      search,
      limit: 10,
      ...(attendee === undefined ? {} : { attendee }),
    })
  let { rows } = await toCome(title, person?.email)
  if (rows.length === 0 && title !== '') {
    // "Bob's call" has no "with".
    const people = await contactsNamed(asking, cleanName(title))
    const [owner, other] = people.length > 0 ? people : await contactsNearly(asking, cleanName(title))
    if (owner !== undefined && other === undefined) ({ rows } = await toCome('', owner.email))
  }
  const [first] = rows
  if (first === undefined) return void answer.lines.push('I found no such meeting to come.')
  if (rows.length > 1 && title === '' && person === null)
    return void answer.lines.push(
      [
        'Which meeting? Please name whom it is with, or its title.',
        ...rows
          .slice(0, 6)
          .map((each) => `- ${shownWords(each.title)}${cite(answer.sources, meetingSource(each))}`),
      ].join('\n'),
    )
  const hour = time.at ?? sameHour(first.start_time, time.day, user.timeZone)
  await propose(asking, answer, 'move_meeting', {
    meeting_id: first.id,
    start: localTime(hour, user.timeZone),
  })
  answer.lines.push(
    rows.length > 1 ? 'I would move the next of these meetings:' : 'I would move this meeting:',
  )
}

function sameHour(start: Date, day: string, zone: string): Date {
  const was = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(zone)
  const moved = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: was.toPlainTime() })
  return new Date(moved.epochMilliseconds)
}
