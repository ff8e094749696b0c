import { expect, test } from 'vitest'
import { nextDays, proposedDay } from './next-days.ts'

const open = { endsOn: null, left: null }

test('a 31st comes back after a shorter month', () => {
  expect(nextDays({ first: '2027-01-31', every: 'month', ...open }, 3)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
  ])
  expect(nextDays({ first: '2028-02-29', every: 'year', ...open }, 2)).toEqual(['2028-02-29', '2029-02-28'])
  expect(nextDays({ first: '2026-12-31', every: 'month', ...open }, 3)).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
  ])
})

test('no more days are named than there are', () => {
  expect(nextDays({ first: '2027-01-31', every: 'month', endsOn: '2027-02-28', left: null }, 4)).toHaveLength(
    2,
  )
  expect(nextDays({ first: '2027-01-31', every: 'month', endsOn: null, left: 1 }, 4)).toEqual(['2027-01-31'])
})

test('the first day that is proposed is one period after the invoice, and not in the past', () => {
  expect(proposedDay('2026-11-30', 'month', '2026-11-30')).toBe('2026-12-30')
  expect(proposedDay('2026-01-31', 'month', '2026-11-23')).toBe('2026-11-30')
  expect(proposedDay('2026-01-31', 'year', '2026-11-23')).toBe('2027-01-31')
  expect(proposedDay('', 'month', '2026-11-23')).toBe('2026-11-23')
})
