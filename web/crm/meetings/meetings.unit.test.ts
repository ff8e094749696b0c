import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import type { Meeting } from '#contract/crm/meetings.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'
import {
  attendeesOf,
  bodyOf,
  changesOf,
  emptyForm,
  endAfter,
  faultsOf,
  formOf,
  type MeetingForm,
} from './meeting-form.ts'
import { linkText, timeText } from './meeting-text.ts'
import { addMonths, dayAfterKey, meetingsByDay, weeksOf } from './month.ts'
import { instantAt, isSkipped, startOfDay, wallTime } from './wall-time.ts'

const ZONES = COUNTRIES.map(({ zone }) => zone)
// Unusual zones: half an hour of summer time, no summer time, quarter hours, the date line, a skipped midnight.
const zone = fc.constantFrom(
  ...ZONES,
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Santiago',
  'Africa/Cairo',
)
const minute = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((at) => new Date(Math.floor(at.getTime() / 60_000) * 60_000))

describe('a clock time in the user’s zone', () => {
  test('round-trips from every instant except the second of two with the same clock time', () => {
    fc.assert(
      fc.property(minute, zone, (at, timeZone) => {
        const wall = wallTime(at, timeZone)
        const back = instantAt(wall, timeZone)
        expect(back === null ? '' : wallTime(back, timeZone)).toBe(wall)
        expect(back?.getTime()).toBeLessThanOrEqual(at.getTime())
      }),
      { numRuns: 1000 },
    )
  })

  test('is the same instant as in Temporal', () => {
    const wallClock = minute.map((at) => at.toISOString().slice(0, 16))
    fc.assert(
      fc.property(wallClock, zone, (wall, timeZone) => {
        const meant = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone)
        expect(instantAt(wall, timeZone)?.getTime()).toBe(meant.epochMilliseconds)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(ZONES)('around every change of the clocks of %s is what Temporal means', (timeZone) => {
    let at = Temporal.ZonedDateTime.from(`2025-01-01T00:00[${timeZone}]`)
    for (let change = 0; change < 12; change += 1) {
      const next = at.getTimeZoneTransition('next')
      if (next === null || next.year > 2030) break
      for (let minutes = -180; minutes <= 180; minutes += 15) {
        const wall = next.toPlainDateTime().add({ minutes }).toString().slice(0, 16)
        const meant = Temporal.PlainDateTime.from(wall).toZonedDateTime(timeZone)
        expect([wall, instantAt(wall, timeZone)?.getTime()]).toEqual([wall, meant.epochMilliseconds])
      }
      at = next
    }
  })

  test('that clocks jump over is told', () => {
    expect(isSkipped('2026-03-29T02:30', 'Europe/Berlin')).toBe(true)
    expect(instantAt('2026-03-29T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(isSkipped('2026-10-25T02:30', 'Europe/Berlin')).toBe(false)
    expect(instantAt('2026-10-25T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(startOfDay('2026-09-06', 'America/Santiago').toISOString()).toBe('2026-09-06T04:00:00.000Z')
    expect(instantAt('', 'Europe/Berlin')).toBeNull()
    expect(instantAt('soon', 'Europe/Berlin')).toBeNull()
  })

  test.each(['0002-03-08T09:00', '0202-03-08T09:00', '0000-01-01T00:00', '9999-12-31T23:59'])(
    '%s is invalid: its year is still being typed',
    (wall) => {
      expect(instantAt(wall, ZONE)).toBeNull()
      expect(isSkipped(wall, ZONE)).toBe(false)
      expect(endAfter(form(), wall, ZONE, true)).toBe(form().end_time)
      expect(faultsOf(form({ start_time: wall }), ZONE).start_time).toBe(
        'Please choose a year from 1970 to 2199',
      )
    },
  )

  test('is valid in the first and the last year', () => {
    expect(instantAt('1970-01-01T00:00', 'Asia/Tokyo')?.toISOString()).toBe('1969-12-31T15:00:00.000Z')
    expect(instantAt('2199-12-31T23:59', 'America/New_York')?.toISOString()).toBe('2200-01-01T04:59:00.000Z')
  })
})

describe('the month', () => {
  const day = minute.map((at) => at.toISOString().slice(0, 10))

  test('has 42 days from a Sunday on, with every day of the month', () => {
    fc.assert(
      fc.property(day, (any) => {
        const days = weeksOf(any.slice(0, 7)).flat()
        expect(new Set(days).size).toBe(42)
        expect(new Date(`${days[0]}T00:00Z`).getUTCDay()).toBe(0)
        expect(days).toEqual([...days].sort())
        expect(days).toContain(any)
      }),
    )
  })

  test('follows the keys', () => {
    expect(dayAfterKey('2026-03-01', 'ArrowLeft')).toBe('2026-02-28')
    expect(dayAfterKey('2026-03-29', 'ArrowRight')).toBe('2026-03-30')
    expect(dayAfterKey('2026-03-29', 'ArrowDown')).toBe('2026-04-05')
    expect(dayAfterKey('2026-03-03', 'ArrowUp')).toBe('2026-02-24')
    expect(dayAfterKey('2026-03-31', 'Home')).toBe('2026-03-29')
    expect(dayAfterKey('2026-03-31', 'End')).toBe('2026-04-04')
    expect(dayAfterKey('2026-03-31', 'PageUp')).toBe('2026-02-28')
    expect(dayAfterKey('2028-01-31', 'PageDown')).toBe('2028-02-29')
    expect(addMonths('2026-12-31', 1)).toBe('2027-01-31')
    expect(dayAfterKey('2026-03-31', 'x')).toBeNull()
  })

  test('shows a meeting on every day of the zone that it touches', () => {
    const weeks = weeksOf('2026-03')
    const span = (start_time: string, end_time: string) => ({ start_time, end_time })
    const days = (of: ReturnType<typeof span>, timeZone: string) => [
      ...meetingsByDay([of], weeks, timeZone).keys(),
    ]
    const late = span('2026-03-09T23:30:00Z', '2026-03-10T00:30:00Z')
    expect(days(late, 'UTC')).toEqual(['2026-03-09', '2026-03-10'])
    expect(days(late, 'Europe/Berlin')).toEqual(['2026-03-10'])
    expect(days(late, 'America/New_York')).toEqual(['2026-03-09'])
    expect(days(span('2026-03-09T23:00:00Z', '2026-03-10T00:00:00Z'), 'UTC')).toEqual(['2026-03-09'])
    expect(days(span('2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'), 'UTC')).toEqual(weeks.flat())
    expect(days(span('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'), 'UTC')).toEqual([])
  })
})

const ZONE = 'Europe/Berlin'
const meeting: Meeting = {
  id: 1,
  title: 'Review',
  description: '',
  start_time: '2026-03-09T09:00:00.000Z',
  end_time: '2026-03-09T10:00:00.000Z',
  location: 'Room 3',
  attendees: ['abe@far.example', 'bea@far.example'],
  type: 'in-person',
  status: 'scheduled',
  notes: '',
  meeting_link: '',
  reminder_minutes: 15,
}
const form = (part: Partial<MeetingForm> = {}): MeetingForm => ({ ...formOf(meeting, ZONE), ...part })

describe('the form', () => {
  test('reports no change if untouched, in every zone', () => {
    fc.assert(
      fc.property(minute, zone, (at, timeZone) => {
        const same = {
          ...meeting,
          start_time: at.toISOString(),
          end_time: new Date(at.getTime() + 3_600_000).toISOString(),
        }
        expect(changesOf(formOf(same, timeZone), same, timeZone)).toEqual({})
      }),
    )
  })

  test.each<[string, Partial<MeetingForm>, object]>([
    ['blanks are no change', { title: ' Review ', attendees: ' bea@far.example,, ABE@far.example ,' }, {}],
    ['a title', { title: 'Big review' }, { title: 'Big review' }],
    ['a time, in UTC', { start_time: '2026-03-09T10:30' }, { start_time: '2026-03-09T09:30:00.000Z' }],
    ['an attendee less', { attendees: 'bea@far.example' }, { attendees: ['bea@far.example'] }],
    ['a link of another kind of meeting', { meeting_link: 'https://zoom.us/j/1' }, {}],
    [
      'another kind',
      { type: 'video', meeting_link: 'https://zoom.us/j/1' },
      { type: 'video', location: '', meeting_link: 'https://zoom.us/j/1' },
    ],
    ['no reminder', { reminder_minutes: '' }, { reminder_minutes: null }],
  ])('sends only what has changed: %s', (_name, part, changes) => {
    expect(changesOf(form(part), meeting, ZONE)).toEqual(changes)
  })

  test.each<[string, Partial<MeetingForm>, object]>([
    ['nothing', {}, {}],
    [
      'all that must be there',
      { title: ' ', start_time: '', end_time: '', location: '' },
      {
        title: 'Please enter a title',
        start_time: 'Please choose a start time',
        end_time: 'Please choose an end time',
        location: 'Please select a location for the in-person meeting',
      },
    ],
    ['a phone call', { type: 'phone', location: '' }, {}],
    [
      'a video call',
      { type: 'video', meeting_link: ' ' },
      { meeting_link: 'Please provide the meeting link for the video call' },
    ],
    ...['zoom', 'zoom.us/j/1', 'ftp://far.example/x', 'https://zoom us/j/1', 'https://'].map(
      (link): [string, Partial<MeetingForm>, object] => [
        `a link that is none: ${link}`,
        { type: 'video', meeting_link: link },
        {
          meeting_link:
            'Please provide the meeting link for the video call. This is not a link: links begin with https:// and have no blanks.',
        },
      ],
    ),
    [
      'an end',
      { end_time: '2026-03-09T10:00' },
      { end_time: 'Please choose an end time after the start time' },
    ],
    ['an attendee', { attendees: 'Bea' }, { attendees: 'Please enter valid email addresses: “Bea” is none' }],
  ])('says what is wrong: %s', (_name, part, faults) => {
    expect(faultsOf(form(part), ZONE)).toEqual(faults)
  })

  test('takes attendees as they are pasted', () => {
    expect(attendeesOf('"Berg, Bea" <bea@far.example>, abe@far.example; ,\nBEA@far.example')).toEqual([
      'bea@far.example',
      'abe@far.example',
    ])
  })

  test('begins at the next full hour, or at nine on a selected day', () => {
    const now = new Date('2026-03-09T09:20:00Z')
    const times = (day: string | null) => {
      const { start_time: start, end_time: end } = emptyForm(now, ZONE, day, '')
      return [start, end]
    }
    expect(times(null)).toEqual(['2026-03-09T11:00', '2026-03-09T11:30'])
    expect(times('2026-03-09')).toEqual(['2026-03-09T11:00', '2026-03-09T11:30'])
    expect(times('2026-04-01')).toEqual(['2026-04-01T09:00', '2026-04-01T09:30'])
    expect(bodyOf(emptyForm(now, ZONE, null, 'bea@far.example'), ZONE).attendees).toEqual(['bea@far.example'])
  })

  test('moves the end with the start', () => {
    const was = { start_time: '2026-03-28T10:00', end_time: '2026-03-28T11:00' }
    expect(endAfter(was, '2026-03-28T08:00', ZONE, true)).toBe('2026-03-28T09:00')
    expect(endAfter(was, '2026-03-28T08:00', ZONE, false)).toBe('2026-03-28T11:00')
    expect(endAfter(was, '2026-03-28T12:00', ZONE, false)).toBe('2026-03-28T13:00')
    expect(endAfter(was, '', ZONE, true)).toBe('2026-03-28T11:00')
    // An hour remains an hour, even when the clocks change.
    expect(endAfter(was, '2026-03-29T01:30', ZONE, true)).toBe('2026-03-29T03:30')
  })
})

describe('meeting texts', () => {
  test('name the end’s day if it is another one', () => {
    expect(timeText(meeting, ZONE)).toBe('10:00 – 11:00')
    expect(timeText({ ...meeting, end_time: '2026-03-10T08:00:00Z' }, ZONE)).toBe('10:00 – Mar 10, 09:00')
  })

  test('name a link by its host, and a map link by its search', () => {
    expect(linkText('https://www.google.com/maps/search/?api=1&query=Unter+den+Linden+1')).toBe(
      'Unter den Linden 1 (map)',
    )
    expect(linkText('https://us02web.zoom.us/j/1?pwd=2')).toBe('us02web.zoom.us')
    expect(linkText('Room 3')).toBe('Room 3')
  })
})
