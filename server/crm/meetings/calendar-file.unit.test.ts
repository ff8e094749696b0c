import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { calendarFile, calendarFileName } from './calendar-file.ts'
import type { MeetingRow } from './store.ts'

const meeting: MeetingRow = {
  user_id: 1,
  id: 7,
  title: 'Review',
  description: '',
  start_time: new Date('2026-03-29T00:30:00Z'),
  end_time: new Date('2026-03-29T01:30:00Z'),
  location: 'Room 3',
  type: 'in-person',
  status: 'scheduled',
  notes: 'private',
  meeting_link: '',
  created_at: new Date('2026-03-01T08:00:00Z'),
  reminder_minutes: null,
  time_zone: null,
  remind_at: null,
  uid: '0f4f7f3e-6f3a-4b51-9a3b-0f6b8a3c2d1e',
  revision: 3,
  changed_at: null,
  attendees: [],
}
const organizer = { name: 'Ada "the boss"; Muster', address: 'ada@muster.example' }
const eventOf = (text: string) => new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
// What lines are made of; other control characters have no place in a calendar.
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('\\', ';', ',', ':', '"', '\n', ' ', '\r\n', '\\n'),
      fc.string({ unit: 'grapheme' }),
    ),
  })
  .map((typed) => typed.replaceAll(/(?!\n)\p{Cc}/gu, '').trim())

describe('a calendar file', () => {
  test('is written line by line as RFC 5545 requires', () => {
    expect(calendarFile(meeting, organizer, 'howl.example').split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Howl//Meetings//EN',
      'CALSCALE:GREGORIAN',
      'BEGIN:VEVENT',
      'UID:0f4f7f3e-6f3a-4b51-9a3b-0f6b8a3c2d1e@howl.example',
      'DTSTAMP:20260301T080000Z',
      'CREATED:20260301T080000Z',
      'LAST-MODIFIED:20260301T080000Z',
      'SEQUENCE:3',
      'DTSTART:20260329T003000Z',
      'DTEND:20260329T013000Z',
      'SUMMARY:Review',
      'LOCATION:Room 3',
      'STATUS:CONFIRMED',
      'ORGANIZER;CN="Ada  the boss ; Muster":mailto:ada@muster.example',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })

  test('preserves every text, in lines of 75 octets', () => {
    fc.assert(
      fc.property(text, text, text, (title, description, location) => {
        const file = calendarFile({ ...meeting, title, description, location }, organizer, 'howl.example')
        for (const line of file.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          // No character is split.
          expect(line.isWellFormed()).toBe(true)
        }
        const event = eventOf(file)
        expect(event?.getFirstPropertyValue('summary') ?? '').toBe(title)
        expect(event?.getFirstPropertyValue('description') ?? '').toBe(description)
        expect(event?.getFirstPropertyValue('location') ?? '').toBe(location)
      }),
      { numRuns: 500 },
    )
  })

  test('cannot be extended with injected lines', () => {
    const file = calendarFile(
      {
        ...meeting,
        title: 'x\r\nATTENDEE:mailto:evil@far.example',
        location: 'y\nURL:https://evil.example',
        attendees: [{ address: 'a?b%0d@far.example' }],
      },
      { name: 'Ada"\r\nX-EVIL:1', address: organizer.address },
      'howl.example',
    )
    expect(eventOf(file)?.getAllProperties('attendee')).toHaveLength(1)
    expect(file).not.toMatch(/^(URL|X-EVIL)/m)
  })

  test('is named after the meeting, with characters that every system accepts', () => {
    expect(calendarFileName('Größe: “Überblick” & more')).toBe('gro-e-u-berblick-more.ics')
    expect(calendarFileName('会議')).toBe('meeting.ics')
  })
})
