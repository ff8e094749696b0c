import { describe, expect, test } from 'vitest'
import { readInvitation } from './invitation.ts'

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')
const event = (...lines: string[]) =>
  calendar('METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT')

describe('an invitation', () => {
  test('says what, when, where and who', () => {
    const read = readInvitation(
      event(
        String.raw`SUMMARY:Lunch\, the two of us`,
        'DTSTART:20260710T100000Z',
        'DTEND:20260710T110000Z',
        'LOCATION:Café am See',
        'ORGANIZER;CN=Bea Berg:mailto:bea@berg.example',
        'ATTENDEE;CN=ann@muster.example:mailto:ann@muster.example',
        'RRULE:FREQ=WEEKLY',
      ),
    )
    expect(read).toEqual({
      method: 'request',
      title: 'Lunch, the two of us',
      starts_at: '2026-07-10T10:00:00.000Z',
      ends_at: '2026-07-10T11:00:00.000Z',
      all_day: false,
      location: 'Café am See',
      organizer: 'Bea Berg <bea@berg.example>',
      attendees: ['ann@muster.example'],
      recurs: true,
    })
  })

  test('in a zone of its own, before and after summer time ends', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:House time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ]
    const at = (start: string) =>
      readInvitation(
        calendar(...zone, 'BEGIN:VEVENT', 'UID:1', `DTSTART;TZID=House time:${start}`, 'END:VEVENT'),
      )?.starts_at
    expect(at('20261024T120000')).toBe('2026-10-24T10:00:00.000Z')
    expect(at('20261026T120000')).toBe('2026-10-26T11:00:00.000Z')
  })

  test('in a zone that is only named', () => {
    expect(readInvitation(event('DTSTART;TZID=Asia/Tokyo:20260710T090000'))?.starts_at).toBe(
      '2026-07-10T00:00:00.000Z',
    )
  })

  test('of whole days', () => {
    expect(readInvitation(event('DTSTART;VALUE=DATE:20260710'))).toMatchObject({
      all_day: true,
      starts_at: '2026-07-10T00:00:00.000Z',
    })
  })

  test.each([
    ['nothing', ''],
    ['no calendar', '<html>'],
    ['a calendar without events', calendar()],
    ['one that ends in the middle', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x'],
    ['too much', 'x'.repeat(600_000)],
  ])('%s is none', (_name, text) => {
    expect(readInvitation(text)).toBeNull()
  })

  test('broken dates, no title and an unknown method lose only themselves', () => {
    const read = readInvitation(
      calendar('METHOD:DANCE', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:soon', 'LOCATION:Here', 'END:VEVENT'),
    )
    expect(read === null || read.location === 'Here').toBe(true)
    expect(read?.starts_at ?? null).toBeNull()
  })
})
