import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { MEETING_FILTERS } from '#contract/crm/meetings.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'
import { reminderTime, startsWithin } from './meeting-times.ts'

const zone = fc.constantFrom(
  ...COUNTRIES.map((country) => country.zone),
  'Australia/Lord_Howe',
  'America/Santiago',
)
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
const local = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

describe('a filter', () => {
  test('of a day covers exactly that day in the time zone', () => {
    fc.assert(
      fc.property(instant, zone, fc.constantFrom('today', 'tomorrow'), (now, timeZone, filter) => {
        const { from, before } = startsWithin(filter, now, timeZone)
        const wanted = local(now, timeZone)
          .toPlainDate()
          .add({ days: filter === 'today' ? 0 : 1 })
          .toString()
        const dayAt = (at: number) => local(new Date(at), timeZone).toPlainDate().toString()
        expect(dayAt(from?.getTime() ?? 0)).toBe(wanted)
        expect(dayAt((before?.getTime() ?? 0) - 1)).toBe(wanted)
        expect(dayAt((from?.getTime() ?? 0) - 1)).not.toBe(wanted)
        expect(dayAt(before?.getTime() ?? 0)).not.toBe(wanted)
      }),
    )
  })

  test('of this week covers seven days from Sunday, including today', () => {
    fc.assert(
      fc.property(instant, zone, (now, timeZone) => {
        const { from, before } = startsWithin('this_week', now, timeZone)
        const [first, last] = [from, before].map((at) => local(at ?? now, timeZone))
        expect(first?.dayOfWeek).toBe(7)
        expect(last?.dayOfWeek).toBe(7)
        expect(first?.toPlainDate().until(last?.toPlainDate() ?? '2000-01-01').days).toBe(7)
        expect((from?.getTime() ?? 0) <= now.getTime() && now.getTime() < (before?.getTime() ?? 0)).toBe(true)
      }),
    )
  })

  test.each([
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', 23],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', 25],
    ['2026-03-08T12:00:00Z', 'America/New_York', 23],
    ['2026-11-01T12:00:00Z', 'America/Toronto', 25],
    ['2026-10-04T02:00:00Z', 'Australia/Sydney', 23],
    ['2026-07-01T02:00:00Z', 'Asia/Kolkata', 24],
  ])('of today on %s in %s holds %i hours', (now, timeZone, hours) => {
    const { from, before } = startsWithin('today', new Date(now), timeZone)
    expect(((before?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 3_600_000).toBe(hours)
  })

  test('is known by every name', () => {
    const spans = MEETING_FILTERS.map((filter) => startsWithin(filter, new Date(), 'UTC'))
    expect(new Set(spans.map((span) => JSON.stringify(span))).size).toBe(MEETING_FILTERS.length)
  })
})

describe('a reminder', () => {
  const now = new Date('2026-03-09T09:00:00Z')
  const meeting = {
    start_time: new Date('2026-03-09T10:00:00Z'),
    status: 'scheduled',
    reminder_minutes: 15,
  } as const
  test('is due the given number of minutes before the start', () => {
    expect(reminderTime(meeting, now)?.toISOString()).toBe('2026-03-09T09:45:00.000Z')
  })
  test.each([
    ['not wanted', { reminder_minutes: null }],
    ['too late', { reminder_minutes: 60 }],
    ['cancelled', { status: 'cancelled' as const }],
    ['done', { status: 'completed' as const }],
  ])('is never due when %s', (_name, part) => {
    expect(reminderTime({ ...meeting, ...part }, now)).toBeNull()
  })
})
