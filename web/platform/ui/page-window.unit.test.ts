import { expect, test } from 'vitest'
import { pageWindow, showing } from './page-window.ts'

test('keeps the current page in the middle and never leaves the range', () => {
  expect(pageWindow(1, 12)).toEqual([1, 2, 3, 4, 5])
  expect(pageWindow(6, 12)).toEqual([4, 5, 6, 7, 8])
  expect(pageWindow(12, 12)).toEqual([8, 9, 10, 11, 12])
})

test('shows only the pages that exist', () => {
  expect(pageWindow(2, 3)).toEqual([1, 2, 3])
  expect(pageWindow(1, 0)).toEqual([1])
})

test('says which rows are shown, also on the last and on an empty page', () => {
  expect(showing(2, 10, 35, 'emails')).toBe('Showing 11 to 20 of 35 emails')
  expect(showing(4, 10, 35, 'emails')).toBe('Showing 31 to 35 of 35 emails')
  expect(showing(1, 10, 0, 'emails')).toBe('Showing 0 to 0 of 0 emails')
  expect(showing(49, 50, 2431, 'contacts')).toBe('Showing 2,401 to 2,431 of 2,431 contacts')
})
