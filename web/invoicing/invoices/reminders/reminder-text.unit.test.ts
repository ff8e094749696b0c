import { expect, test } from 'vitest'
import { daysText, readDays, whenText } from './reminder-text.ts'

test('days are read as people type them', () => {
  expect(readDays('3, 7, 14')).toEqual([3, 7, 14])
  expect(readDays(' 3 7;14 ')).toEqual([3, 7, 14])
  expect(readDays('')).toEqual([])
  for (const typed of ['0', '91', '-3', '1.5', 'three', '1,2,3,4,5,6']) expect(readDays(typed)).toBeNull()
})

test('a reminder is told by its distance from the due date, and by its hour', () => {
  expect(daysText(-1)).toBe('1 day before the due date')
  expect(daysText(14)).toBe('14 days after the due date')
  expect(whenText('2026-02-17T08:00:00Z', 'Europe/Berlin')).toBe('Tue, Feb 17, 2026, 09:00')
})
