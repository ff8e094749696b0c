import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sameNames, suggestTags } from './tag-suggestions.ts'
import { rangeOf } from './use-contact-selection.ts'

describe('a range of rows', () => {
  test('goes from the anchor to the row in either direction, and is the row alone without an anchor', () => {
    const rows = [5, 3, 9, 1]
    expect(rangeOf(rows, 3, 1)).toEqual([3, 9, 1])
    expect(rangeOf(rows, 1, 3)).toEqual([3, 9, 1])
    expect(rangeOf(rows, null, 9)).toEqual([9])
    expect(rangeOf(rows, 77, 9)).toEqual([9])
  })

  test('always contains the row, and the anchor if it is in the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (rows, one, other) => {
        const id = rows[one % rows.length] ?? 0
        const anchor = rows[other % rows.length] ?? 0
        expect(rangeOf(rows, anchor, id)).toEqual(expect.arrayContaining([id, anchor]))
      }),
    )
  })
})

describe('suggested tags', () => {
  const tags = ['VIP', 'Trade fair', 'Fair play'].map((name, id) => ({ id, name, colour: 'blue' as const }))
  const names = (typed: string, chosen: string[] = []) =>
    suggestTags(tags, chosen, typed).known.map(({ name }) => name)

  test('contain the typed text, best matches first, and leave out the chosen ones', () => {
    expect(names('FAIR')).toEqual(['Fair play', 'Trade fair'])
    expect(names('fair', ['fair play'])).toEqual(['Trade fair'])
    expect(names('')).toEqual(['VIP', 'Trade fair', 'Fair play'])
  })

  test('include a new one if no tag has the name', () => {
    expect(suggestTags(tags, [], ' New   one ').create).toBe('New one')
    expect(suggestTags(tags, [], 'vip').create).toBeNull()
    expect(suggestTags(tags, ['Other'], 'other').create).toBeNull()
    expect(suggestTags(tags, [], '  ').create).toBeNull()
  })

  test('names are the same set in any order and letter case', () => {
    expect(sameNames(['VIP', 'Fair'], ['fair', 'vip'])).toBe(true)
    expect(sameNames(['VIP'], ['VIP', 'Fair'])).toBe(false)
  })
})
