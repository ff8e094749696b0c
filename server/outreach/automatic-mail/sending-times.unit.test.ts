import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { ANY_TIME, localDay, nextDay, nextSendingTime, type SendingRules } from './sending-times.ts'
import { warmUpCeiling } from './warm-up.ts'

const WORKING = { days: [1, 2, 3, 4, 5], fromHour: 8, untilHour: 18 }
const at = (text: string) => new Date(text)
const next = (rules: typeof WORKING, zone: string, from: string) =>
  nextSendingTime(rules, zone, at(from)).toISOString()

describe('sending hours', () => {
  it('are the wall clock of the user', () => {
    expect(next(WORKING, 'Europe/Berlin', '2026-07-07T05:59:00Z')).toBe('2026-07-07T06:00:00.000Z')
    expect(next(WORKING, 'Europe/Berlin', '2026-07-07T06:00:00Z')).toBe('2026-07-07T06:00:00.000Z')
    expect(next(WORKING, 'Europe/Berlin', '2026-07-07T15:59:59Z')).toBe('2026-07-07T15:59:59.000Z')
    expect(next(WORKING, 'Europe/Berlin', '2026-07-07T16:00:00Z')).toBe('2026-07-08T06:00:00.000Z')
    expect(next(WORKING, 'America/New_York', '2026-01-15T05:00:00Z')).toBe('2026-01-15T13:00:00.000Z')
  })

  it('skip the weekend', () => {
    expect(next(WORKING, 'Europe/Berlin', '2026-07-10T16:00:00Z')).toBe('2026-07-13T06:00:00.000Z')
    const sundays = { days: [7], fromHour: 10, untilHour: 12 }
    // A Sunday after the hours: a week later.
    expect(next(sundays, 'Europe/Berlin', '2026-07-12T10:00:00Z')).toBe('2026-07-19T08:00:00.000Z')
  })

  it.each([
    // Friday evening before the change, and the Monday after it.
    ['Europe/Berlin', '2026-03-27T20:00:00Z', '2026-03-30T06:00:00.000Z'],
    ['Europe/Berlin', '2026-10-23T20:00:00Z', '2026-10-26T07:00:00.000Z'],
    ['America/New_York', '2026-03-06T23:30:00Z', '2026-03-09T12:00:00.000Z'],
    ['America/New_York', '2026-10-30T23:30:00Z', '2026-11-02T13:00:00.000Z'],
  ])('follow the clock over a change to or from summer time (%s, %s)', (zone, from, opens) => {
    expect(next(WORKING, zone, from)).toBe(opens)
  })

  it('at the night of the change begin at an hour that exists', () => {
    const nights = { days: [7], fromHour: 2, untilHour: 4 }
    // In Berlin there is no 02:00 on this Sunday, and 02:00 comes twice on the other.
    expect(next(nights, 'Europe/Berlin', '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-10-24T23:00:00Z')).toBe('2026-10-25T00:00:00.000Z')
    expect(next(nights, 'America/New_York', '2026-03-08T06:00:00Z')).toBe('2026-03-08T07:00:00.000Z')
  })

  it('until 24 last until the day is over, also one of 23 or 25 hours', () => {
    const sunday = { days: [7], fromHour: 0, untilHour: 24 }
    expect(next(sunday, 'Europe/Berlin', '2026-03-29T21:59:59Z')).toBe('2026-03-29T21:59:59.000Z')
    expect(next(sunday, 'Europe/Berlin', '2026-03-29T22:00:00Z')).toBe('2026-04-04T22:00:00.000Z')
    expect(next(sunday, 'Europe/Berlin', '2026-10-25T22:59:59Z')).toBe('2026-10-25T22:59:59.000Z')
  })

  it('over midnight last until the next day, whatever day that is', () => {
    const nights = { days: [1, 2, 3, 4, 5], fromHour: 22, untilHour: 6 }
    // Tuesday in the day, in the evening, after midnight, and when they end.
    expect(next(nights, 'Europe/Berlin', '2026-07-07T12:00:00Z')).toBe('2026-07-07T20:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-07-07T21:30:00Z')).toBe('2026-07-07T21:30:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-07-08T03:59:59Z')).toBe('2026-07-08T03:59:59.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-07-08T04:00:00Z')).toBe('2026-07-08T20:00:00.000Z')
    // What begins on Friday lasts until Saturday; what would begin on Sunday is not there on Monday.
    expect(next(nights, 'Europe/Berlin', '2026-07-11T02:00:00Z')).toBe('2026-07-11T02:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-07-11T04:00:00Z')).toBe('2026-07-13T20:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-07-13T01:00:00Z')).toBe('2026-07-13T20:00:00.000Z')
  })

  it('over the nights of both changes end by the wall clock', () => {
    const nights = { days: [6], fromHour: 22, untilHour: 6 }
    // Saturday to Sunday in Berlin: seven hours in spring, nine in autumn.
    expect(next(nights, 'Europe/Berlin', '2026-03-28T20:00:00Z')).toBe('2026-03-28T21:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-03-29T03:59:59Z')).toBe('2026-03-29T03:59:59.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-03-29T04:00:00Z')).toBe('2026-04-04T20:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-10-24T19:00:00Z')).toBe('2026-10-24T20:00:00.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-10-25T04:59:59Z')).toBe('2026-10-25T04:59:59.000Z')
    expect(next(nights, 'Europe/Berlin', '2026-10-25T05:00:00Z')).toBe('2026-10-31T21:00:00.000Z')
  })

  it('of one hour that a change leaves out are not there that day', () => {
    const hour = { days: [7], fromHour: 2, untilHour: 3 }
    expect(next(hour, 'Europe/Berlin', '2026-03-23T00:00:00Z')).toBe('2026-04-05T00:00:00.000Z')
  })

  it('are always the first ones that the wall clock shows', () => {
    fc.assert(
      fc.property(anyRules, anyZone, aroundChanges, (rules, zone, from) => {
        const found = nextSendingTime(rules, zone, from)
        expect(isOpen(rules, zone, found)).toBe(true)
        expect(found.getTime()).toBeGreaterThanOrEqual(from.getTime())
        if (found.getTime() === from.getTime()) return
        // Hours begin and end at full and at half hours of UTC; a zone may change its clock by half an hour.
        const HALF = 30 * 60_000
        expect(isOpen(rules, zone, new Date(found.getTime() - 1))).toBe(false)
        for (let at = found.getTime() - HALF; at >= from.getTime(); at -= HALF)
          if (isOpen(rules, zone, new Date(at)))
            throw new Error(`open before, at ${new Date(at).toISOString()}`)
      }),
      { numRuns: 300 },
    )
  })

  it('are not there without rules', () => {
    expect(nextSendingTime(ANY_TIME, 'Asia/Kolkata', at('2026-07-12T20:00:00Z'))).toEqual(
      at('2026-07-12T20:00:00Z'),
    )
  })
})

describe("the user's day", () => {
  it.each([
    ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-06-30T18:29:59Z', '2026-06-30', '2026-06-30T18:30:00.000Z'],
  ])('begins and ends at their midnight (%s, %s)', (zone, now, day, end) => {
    expect(localDay(at(now), zone)).toBe(day)
    expect(nextDay(at(now), zone).toISOString()).toBe(end)
  })
})

it('a new address sends half as much again each day, until it is no longer new', () => {
  const days = Array.from({ length: 11 }, (_, sent) => warmUpCeiling(sent))
  expect(days).toEqual([20, 30, 45, 67, 101, 151, 227, 341, 500, null, null])
})

const anyRules: fc.Arbitrary<SendingRules> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    fromHour: fc.integer({ min: 0, max: 23 }),
    untilHour: fc.integer({ min: 1, max: 24 }),
  })
  .filter(({ fromHour, untilHour }) => fromHour !== untilHour)
const anyZone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata')
/** Within nine days of a change to or from summer time in one of the zones. */
const aroundChanges = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'),
    fc.integer({ min: -9 * 24 * 60, max: 9 * 24 * 60 }),
  )
  .map(([day, minutes]) => new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000))

/** What the wall clock says: whether the hour is between the two, on the day on which the hours began. */
function isOpen({ days, fromHour, untilHour }: SendingRules, zone: string, at: Date): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  const isOn = (day: Temporal.PlainDate) => days.includes(day.dayOfWeek)
  const today = wall.toPlainDate()
  if (fromHour < untilHour) return isOn(today) && wall.hour >= fromHour && wall.hour < untilHour
  if (wall.hour >= fromHour) return isOn(today)
  return wall.hour < untilHour && isOn(today.subtract({ days: 1 }))
}
