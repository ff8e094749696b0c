import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTags, TAG_SEPARATOR, tagCell } from './tag-cell.ts'

describe('tags in a cell', () => {
  it.each([
    ['Customers, VIP', ['Customers', 'VIP']],
    ['Customers;VIP;', ['Customers', 'VIP']],
    ['* myContacts ::: Friends ::: * starred', ['Friends', 'starred']],
    ['"Leeds, Hull", "say ""hi""", 5" pipe', ['Leeds, Hull', 'say "hi"', '5" pipe']],
    [' , ;; ', []],
  ])('%s', (cell, names) => {
    expect(readTags(cell)).toEqual(names)
  })

  it('survive a round trip', () => {
    const name = fc
      .oneof(fc.string(), fc.stringMatching(/^[",;:* a]{1,8}$/))
      .map((text) => text.replaceAll(TAG_SEPARATOR, ' ').replaceAll(/\s+/g, ' ').trim())
      .filter((text) => text !== '')
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        expect(readTags(tagCell(names))).toEqual(names)
      }),
      { numRuns: 2000 },
    )
  })
})
