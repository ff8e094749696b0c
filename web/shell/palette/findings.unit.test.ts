import { describe, expect, test } from 'vitest'
import { byNearness, type Item, matching, newestOf, stepFrom } from './findings.ts'

const item = (title: string, keywords = ''): Item => ({
  id: title,
  icon: null,
  title,
  keywords,
  run: () => undefined,
})
const titles = (items: readonly Item[]) => items.map(({ title }) => title)

describe('the palette', () => {
  const items = [item('Add Contact', 'new person'), item('Add Task', 'new todo'), item('Logout', 'sign off')]

  test('finds pages and actions by the beginnings of words', () => {
    expect(titles(matching(items, ''))).toEqual(['Add Contact', 'Add Task', 'Logout'])
    expect(titles(matching(items, 'add'))).toEqual(['Add Contact', 'Add Task'])
    expect(titles(matching(items, ' TODO  new '))).toEqual(['Add Task'])
    expect(titles(matching(items, 'dd'))).toEqual([])
    expect(titles(matching(items, 'task contact'))).toEqual([])
  })

  test('wraps around with the arrow keys', () => {
    expect(stepFrom(items, 'Add Contact', 1)?.title).toBe('Add Task')
    expect(stepFrom(items, 'Logout', 1)?.title).toBe('Add Contact')
    expect(stepFrom(items, 'Add Contact', -1)?.title).toBe('Logout')
    expect(stepFrom(items, 'gone', 1)?.title).toBe('Add Contact')
    expect(stepFrom([], null, 1)).toBeUndefined()
  })

  test('takes the newest of several lists', () => {
    const found = newestOf([['3', '1'], ['2']], (text) => text, 2)
    expect(found).toEqual(['3', '2'])
  })

  test('puts the next meeting first and past ones last', () => {
    const at = (day: string) => ({ start_time: `2026-03-${day}T10:00:00Z` })
    const rows = [at('01'), at('20'), at('05'), at('12')]
    expect(
      byNearness(rows, new Date('2026-03-10T00:00:00Z')).map(({ start_time }) => start_time.slice(8, 10)),
    ).toEqual(['12', '20', '05', '01'])
  })
})
