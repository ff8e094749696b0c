import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '#contract/platform/countries.ts'
import { lastDays } from './last-days.ts'

const HOUR = 3_600_000
const zones = COUNTRIES.map(({ zone }) => zone)
/** The local date in the zone, computed in another way than the code does. */
function wallCalendar(zone: string): (at: number) => string {
  // Creating one costs a hundred times as much as using it.
  const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return (at) => format(at)
}

describe('the last days', () => {
  test.each(zones)('of %s are whole days without gaps, even when clocks change', (zone) => {
    const dayAt = wallCalendar(zone)
    const anyInstant = fc.date({
      min: new Date('2024-01-01'),
      max: new Date('2031-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(anyInstant, fc.constantFrom(7, 30, 90), (now, count) => {
        const { days, bounds } = lastDays(now, zone, count)
        expect(days).toHaveLength(count)
        expect(bounds).toHaveLength(count + 1)
        expect(days.at(-1)).toBe(dayAt(now.getTime()))
        for (const [at, day] of days.entries()) {
          const [from, to] = [bounds[at]!.getTime(), bounds[at + 1]!.getTime()]
          expect([dayAt(from - 1) < day, dayAt(from), dayAt(to - 1)]).toEqual([true, day, day])
          expect([23 * HOUR, 24 * HOUR, 25 * HOUR]).toContain(to - from)
          // Counts per quarter of an hour never belong to two days.
          expect(from % (HOUR / 4)).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['Europe/Berlin', '2026-03-29T12:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', 25],
    ['America/New_York', '2026-03-08T12:00:00Z', 23],
    ['America/New_York', '2026-11-01T12:00:00Z', 25],
    ['Australia/Sydney', '2026-04-05T12:00:00Z', 25],
    ['Asia/Kolkata', '2026-03-29T12:00:00Z', 24],
  ])('in %s: the day of %s has %i hours', (zone, now, hours) => {
    const { bounds } = lastDays(new Date(now), zone, 7)
    expect((bounds[7]!.getTime() - bounds[6]!.getTime()) / HOUR).toBe(hours)
  })
})
