import { describe, expect, test } from 'vitest'
import { type CountedDay, dayAt } from './day.ts'

const NEW_YORK = 'America/New_York'
const BERLIN = 'Europe/Berlin'
const KIRITIMATI = 'Pacific/Kiritimati'
const PAGO_PAGO = 'Pacific/Pago_Pago'

const HOUR_MS = 3_600_000
const at = (instant: string) => new Date(instant)
/** A use at that moment: its date, and the next one's knowledge of it. */
function use(when: Date, zone: string, before?: CountedDay): CountedDay {
  const { date, endsAt } = dayAt(when, zone, before)
  return { day: date, day_ends_at: endsAt }
}

test('a day lasts from midnight to midnight where the user is', () => {
  const day = dayAt(at('2026-03-10T22:30:00Z'), BERLIN)
  expect(day).toMatchObject({ date: '2026-03-10', monthBegins: '2026-03-01', endsInMs: HOUR_MS / 2 })
  expect(day.endsAt).toEqual(at('2026-03-10T23:00:00Z'))
  expect(dayAt(day.endsAt, BERLIN, use(at('2026-03-10T22:30:00Z'), BERLIN)).date).toBe('2026-03-11')
})

describe('a changed zone', () => {
  test.each([
    ['to the east, when the old day is over', NEW_YORK, KIRITIMATI, '2026-03-11T04:00:00Z', '2026-03-11'],
    ['to the west, when the new day is over', BERLIN, PAGO_PAGO, '2026-03-11T11:00:00Z', '2026-03-11'],
    ['over the date line, when both are over', KIRITIMATI, PAGO_PAGO, '2026-03-12T11:00:00Z', '2026-03-12'],
  ])('counts %s', (_, from, to, instant, date) => {
    const before = use(at('2026-03-10T12:00:00Z'), from)
    const next = at(instant)
    const last = dayAt(new Date(next.getTime() - 1), to, before)
    expect(last).toMatchObject({ date: before.day, endsInMs: 1 })
    expect(dayAt(at('2026-03-10T12:00:01Z'), to, before).date).toBe(before.day)
    expect(dayAt(next, to, before).date).toBe(date)
  })

  test('back and forth, however often, gives no more days than the calendar has', () => {
    const zones = [PAGO_PAGO, KIRITIMATI, BERLIN, NEW_YORK]
    let newest: CountedDay | undefined
    const seen = new Set<string>()
    const begin = at('2026-03-01T12:00:00Z').getTime()
    for (let hour = 0; hour < 30 * 24; hour++) {
      newest = use(new Date(begin + hour * HOUR_MS), zones[hour % zones.length] ?? BERLIN, newest)
      seen.add(newest.day)
    }
    expect(seen.size).toBeGreaterThanOrEqual(15)
    expect(seen.size).toBeLessThanOrEqual(31)
  })
})
