import { expect, test } from 'vitest'
import { notSearchableText } from './not-searchable.ts'

test('says how many mails are not searchable yet, and nothing if all are', () => {
  expect(notSearchableText()).toBeNull()
  expect(notSearchableText(0)).toBeNull()
  expect(notSearchableText(1)).toBe('1 email is still being made searchable.')
  expect(notSearchableText(12_345)).toBe('12,345 emails are still being made searchable.')
  expect(notSearchableText(100_000)).toBe('At least 100,000 emails are still being made searchable.')
})
