import { describe, expect, test } from 'vitest'
import { dayWords, descriptionPreview, isOverdue } from './todo-words.ts'

describe('a task', () => {
  test('of twenty words is shown whole, of more it is cut', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
    expect(descriptionPreview(words(20))).toBeNull()
    expect(descriptionPreview(words(21))).toBe(`${words(20)}…`)
    expect(descriptionPreview('')).toBeNull()
  })

  test('is overdue from the day after on', () => {
    expect(isOverdue('2026-03-08', '2026-03-09')).toBe(true)
    expect(isOverdue('2026-03-09', '2026-03-09')).toBe(false)
    expect(isOverdue(null, '2026-03-09')).toBe(false)
  })

  test('tells its day in full', () => expect(dayWords('2026-03-09')).toBe('Mar 09, 2026'))
})
