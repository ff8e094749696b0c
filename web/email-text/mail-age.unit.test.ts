import { expect, test } from 'vitest'
import { mailAge } from './mail-age.ts'

const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['2026-03-10T12:00:30Z', 'Just now'],
  ['2026-03-10T11:59:01Z', 'Just now'],
  ['2026-03-10T11:15:00Z', '45 min ago'],
  ['2026-03-09T12:01:00Z', '23 h ago'],
  ['2026-03-09T12:00:00Z', 'Mar 9, 2026'],
])('%s is %s', (then, words) => {
  expect(mailAge(new Date(then), now, 'UTC')).toBe(words)
})

test('a date is that of the zone', () => {
  expect(mailAge(new Date('2026-01-31T20:00:00Z'), now, 'Asia/Tokyo')).toBe('Feb 1, 2026')
})
