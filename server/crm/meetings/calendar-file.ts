import type { MeetingRow } from './store.ts'

/** RFC 5545 3.1: maximum octets of a line, without its line break. */
const LINE_OCTETS = 75

/**
 * A meeting as an iCalendar file (RFC 5545) with one event. The user's private notes are left out, because such a
 * file is passed on. There is no METHOD, so that a calendar imports it as it is and mails no invitations.
 *
 * @param house the host name in the event's UID
 */
export function calendarFile(
  meeting: MeetingRow,
  organizer: { name: string; address: string },
  house: string,
): string {
  const { reminder_minutes: reminder, meeting_link: link, location } = meeting
  const about = [meeting.description, link].filter((part) => part !== '').join('\n\n')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Howl//Meetings//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    `UID:${meeting.uid}@${house}`,
    `DTSTAMP:${utc(meeting.changed_at ?? meeting.created_at)}`,
    `CREATED:${utc(meeting.created_at)}`,
    `LAST-MODIFIED:${utc(meeting.changed_at ?? meeting.created_at)}`,
    `SEQUENCE:${meeting.revision}`,
    `DTSTART:${utc(meeting.start_time)}`,
    `DTEND:${utc(meeting.end_time)}`,
    `SUMMARY:${escaped(meeting.title)}`,
    ...(about === '' ? [] : [`DESCRIPTION:${escaped(about)}`]),
    ...(location === '' && link === '' ? [] : [`LOCATION:${escaped(location || link)}`]),
    ...(isWebAddress(location || link) ? [`URL:${uri(location || link)}`] : []),
    `STATUS:${meeting.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `ORGANIZER;CN=${quoted(organizer.name)}:${mailto(organizer.address)}`,
    ...meeting.attendees.map(
      ({ address }) =>
        `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION:${mailto(address)}`,
    ),
    ...(reminder === null
      ? []
      : [
          'BEGIN:VALARM',
          'ACTION:DISPLAY',
          `DESCRIPTION:${escaped(meeting.title)}`,
          `TRIGGER:-PT${reminder}M`,
          'END:VALARM',
        ]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** "Quarterly review" → "quarterly-review.ics". */
export function calendarFileName(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
  return `${words === '' ? 'meeting' : words}.ics`
}

function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** RFC 5545 3.3.11. */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
}

/** A parameter's value (RFC 5545 3.2) must not contain quotes or control characters. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\p{Cc}]/gu, ' ').trim()}"`
}

const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text)
const uri = (address: string) => address.replaceAll(/[\s\p{Cc}]/gu, '')
const mailto = (address: string) => `mailto:${encodeURI(address).replaceAll('?', '%3F')}`

/** Folds a line into pieces of at most 75 octets, each further one begun by a blank; never inside a character. */
function fold(line: string): string {
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > LINE_OCTETS) {
      pieces.push(piece)
      piece = ' '
      octets = 1
    }
    piece += character
    octets += size
  }
  return [...pieces, piece].join('\r\n')
}
