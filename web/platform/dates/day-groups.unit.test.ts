import { expect, test } from 'vitest'
import { groupByDay } from './day-groups.ts'

const told = (times: string[], now: string, zone: string) =>
  groupByDay(
    times.map((timestamp) => ({ timestamp })),
    new Date(now),
    zone,
  ).map(({ label, rows }) => [label, rows.length])

test('groups rows by today, yesterday, then months', () => {
  const times = [
    '2026-11-21T09:00:00Z',
    '2026-11-21T00:00:00Z',
    '2026-11-20T23:59:00Z',
    '2026-11-19T10:00:00Z',
    '2026-11-01T10:00:00Z',
    '2026-10-31T10:00:00Z',
    '2025-11-20T10:00:00Z',
  ]
  expect(told(times, '2026-11-21T10:00:00Z', 'UTC')).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['November 2026', 2],
    ['October 2026', 1],
    ['November 2025', 1],
  ])
})

test('starts days at midnight in the zone', () => {
  const times = ['2026-11-20T20:00:00Z', '2026-11-20T14:00:00Z']
  const now = '2026-11-21T02:00:00Z'
  expect(told(times, now, 'UTC')).toEqual([['Yesterday', 2]])
  expect(told(times, now, 'Asia/Tokyo')).toEqual([
    ['Today', 1],
    ['Yesterday', 1],
  ])
  expect(told(times, now, 'America/Los_Angeles')).toEqual([['Today', 2]])
})

test('finds yesterday on the first of a month', () => {
  expect(told(['2026-02-28T10:00:00Z'], '2026-03-01T10:00:00Z', 'UTC')).toEqual([['Yesterday', 1]])
})

test('counts a day of 23 or 25 hours as one day', () => {
  expect(told(['2026-03-27T23:10:00Z'], '2026-03-29T21:30:00Z', 'Europe/Berlin')).toEqual([['Yesterday', 1]])
  expect(told(['2026-10-24T22:10:00Z'], '2026-10-25T22:50:00Z', 'Europe/Berlin')).toEqual([['Today', 1]])
})

test('groups a scheduled mail by the day on which it will be sent', () => {
  const mail = { timestamp: '2026-11-21T09:00:00Z', schedule_at: '2026-12-02T08:00:00Z', status: 'scheduled' }
  const groups = groupByDay([mail], new Date('2026-11-21T10:00:00Z'), 'UTC')
  expect(groups.map(({ label }) => label)).toEqual(['December 2026'])
})
