import { describe, expect, test } from 'vitest'
import { barHeight } from '#web/platform/ui/bar-height.ts'
import { dayText, shortDay, totalOf } from './activity-text.ts'
import { isUpcoming, nearness, startText } from './meeting-times.ts'

const now = new Date('2026-03-09T13:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

describe('a meeting', () => {
  const at = (minutes: number, status: 'scheduled' | 'cancelled' = 'scheduled') => ({
    start_time: inMinutes(minutes).toISOString(),
    status,
  })

  test('is upcoming until five minutes after its start', () => {
    expect(isUpcoming(at(60), now)).toBe(true)
    expect(isUpcoming(at(-5), now)).toBe(true)
    expect(isUpcoming(at(-5.01), now)).toBe(false)
    expect(isUpcoming(at(60, 'cancelled'), now)).toBe(false)
  })

  test.each([
    ['2026-03-09T15:30:00Z', 'Europe/Berlin', 'Today at 16:30'],
    ['2026-03-09T23:30:00Z', 'Europe/Berlin', 'Tomorrow at 00:30'],
    ['2026-03-09T23:30:00Z', 'America/New_York', 'Today at 19:30'],
    ['2026-03-12T09:00:00Z', 'Asia/Kolkata', 'Thu, Mar 12 at 14:30'],
    ['2027-01-04T09:00:00Z', 'Europe/London', 'Mon, Jan 4, 2027 at 09:00'],
  ])('at %s in %s reads “%s”', (start, zone, words) => {
    expect(startText(new Date(start), now, zone)).toBe(words)
  })

  test.each([
    [61, null],
    [60, 'In 60 min'],
    [1.5, 'In 1 min'],
    [0.5, 'Now'],
    [-0.5, 'Now'],
    [-3, 'Started 3 min ago'],
    [-6, null],
  ])('%d minutes from now: %s', (minutes, words) => expect(nearness(inMinutes(minutes), now)).toBe(words))
})

describe('the chart', () => {
  const day = { day: '2026-03-09', sent: 1200, replies: 1, meetings: 0 }

  test('describes a day in words', () => {
    expect(shortDay('2026-03-09')).toBe('Mon, Mar 9')
    expect(dayText(day)).toBe('Mon, Mar 9: 1,200 sent, 1 reply, 0 meetings')
    expect(totalOf([day, day], 'sent')).toBe(2400)
  })

  test('shows the smallest count, and draws nothing for zero', () => {
    expect(barHeight(0, 0)).toBe(0)
    expect(barHeight(0, 10)).toBe(0)
    expect(barHeight(10, 10)).toBe(1)
    expect(barHeight(1, 1_000_000)).toBeGreaterThan(0.05)
  })
})
