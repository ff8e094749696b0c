import { expect, test } from 'vitest'
import { feedbackFileName } from './feedback-csv.ts'

test('the file is named by the day of the screen', () => {
  const at = new Date('2026-03-09T22:30:00Z')
  expect(feedbackFileName(at, 'UTC')).toBe('feedback-data-2026-03-09.csv')
  expect(feedbackFileName(at, 'Asia/Kolkata')).toBe('feedback-data-2026-03-10.csv')
})
