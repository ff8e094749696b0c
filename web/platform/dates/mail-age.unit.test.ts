import { expect, test } from 'vitest'
import { ageClass, ageLabel, dateAndTime, fullTime, mailAge, timeSpan } from './mail-age.ts'

const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['2026-03-10T12:00:30Z', 'Just now'],
  ['2026-03-10T11:59:01Z', 'Just now'],
  ['2026-03-10T11:15:00Z', '45 min ago'],
  ['2026-03-09T12:01:00Z', '23 h ago'],
  ['2026-03-09T12:00:00Z', 'Mar 9, 2026'],
])('in a list %s reads %s', (then, words) => {
  expect(mailAge(new Date(then), now, 'UTC')).toBe(words)
})

test('a date is that of the zone', () => {
  expect(mailAge(new Date('2026-01-31T20:00:00Z'), now, 'Asia/Tokyo')).toBe('Feb 1, 2026')
})

test.each([
  ['2026-03-10T12:00:30Z', 'Just now'],
  ['2026-03-10T11:59:01Z', 'Just now'],
  ['2026-03-10T11:59:00Z', '1 minute ago'],
  ['2026-03-10T11:00:01Z', '59 minutes ago'],
  ['2026-03-10T11:00:00Z', '1 hour ago'],
  ['2026-03-10T06:00:01Z', '5 hours ago'],
  ['2026-03-10T05:30:00Z', 'Today at 05:30'],
  ['2026-03-10T00:00:00Z', 'Today at 00:00'],
  ['2026-03-09T23:59:00Z', 'Yesterday at 23:59'],
  ['2026-03-09T00:00:00Z', 'Yesterday at 00:00'],
  ['2026-03-08T23:59:00Z', 'Sunday at 23:59'],
  ['2026-03-03T12:00:01Z', 'Tuesday at 12:00'],
  ['2026-03-03T12:00:00Z', 'Mar 3, 2026'],
])('in a mail %s reads %s', (then, words) => {
  expect(ageLabel(new Date(then), now, 'UTC')).toBe(words)
})

test('midnight is that of the zone', () => {
  const sent = new Date('2026-03-10T04:30:00Z')
  expect(ageLabel(sent, now, 'Europe/Berlin')).toBe('Today at 05:30')
  expect(ageLabel(sent, now, 'America/New_York')).toBe('Today at 00:30')
  expect(ageLabel(sent, now, 'America/Chicago')).toBe('Yesterday at 23:30')
})

test('yesterday is the day before, even if it had 23 or 25 hours', () => {
  // Berlin: clocks go forward on March 29, back on October 25.
  const spring = new Date('2026-03-29T21:30:00Z')
  expect(ageLabel(new Date('2026-03-27T23:10:00Z'), spring, 'Europe/Berlin')).toBe('Yesterday at 00:10')
  const autumn = new Date('2026-10-26T22:30:00Z')
  expect(ageLabel(new Date('2026-10-24T22:10:00Z'), autumn, 'Europe/Berlin')).toBe('Yesterday at 00:10')
  expect(ageLabel(new Date('2026-10-24T21:50:00Z'), autumn, 'Europe/Berlin')).toBe('Saturday at 23:50')
})

test.each([
  ['2026-03-10T11:00:01Z', 'very-recent'],
  ['2026-03-10T11:00:00Z', 'recent'],
  ['2026-03-09T12:00:01Z', 'recent'],
  ['2026-03-09T12:00:00Z', 'this-week'],
  ['2026-03-03T12:00:00Z', 'this-month'],
  ['2026-02-08T12:00:01Z', 'this-month'],
  ['2026-02-08T12:00:00Z', 'old'],
])('the age class of %s is %s', (then, step) => {
  expect(ageClass(new Date(then), now)).toBe(step)
})

test('the full time has the weekday, date and time', () => {
  expect(dateAndTime(now, 'Asia/Kolkata')).toBe('Mar 10, 2026, 17:30')
  expect(fullTime(now, 'Asia/Kolkata')).toBe('Tuesday, March 10, 2026 at 17:30')
})

test('a span names its second day only if there is one', () => {
  const from = new Date('2026-03-09T22:30:00Z')
  const until = new Date('2026-03-09T23:30:00Z')
  expect(timeSpan(from, until, 'UTC')).toBe('Monday, March 9, 2026 at 22:30 to 23:30')
  expect(timeSpan(from, until, 'Europe/Berlin')).toBe(
    'Monday, March 9, 2026 at 23:30 to Tuesday, March 10, 2026 at 00:30',
  )
})
