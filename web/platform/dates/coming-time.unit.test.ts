import { expect, test } from 'vitest'
import { comingTime } from './coming-time.ts'

test('the year is told where it is another one in that zone', () => {
  const now = new Date('2026-12-31T22:30:00Z')
  expect(comingTime('2026-12-31T22:45:00Z', 'Europe/Berlin', now)).toBe('Thu 31 Dec, 23:45')
  expect(comingTime('2026-12-31T23:15:00Z', 'Europe/Berlin', now)).toBe('Fri, 1 Jan 2027, 00:15')
  expect(comingTime('2026-12-31T23:15:00Z', 'Europe/London', now)).toBe('Thu 31 Dec, 23:15')
})
