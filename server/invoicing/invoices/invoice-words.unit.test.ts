import { describe, expect, test } from 'vitest'
import { invoiceQueries, invoiceVector, searchTerms } from './invoice-words.ts'

const wordsOf = (search: string) =>
  invoiceVector(7, search)
    .split(' ')
    .map((word) => word.replaceAll("'", '').replace('7:', ''))

describe('the words of a document', () => {
  test('are those of its texts, without accents and capitals', () => {
    expect(wordsOf('Zoë Müller-Lüdenscheidt')).toEqual(['zoe', 'muller', 'ludenscheidt'])
  })

  test('have the count of a number, with and without leading zeros', () => {
    expect(wordsOf('INV-2026-0042')).toEqual(['inv', '2026', '0042', '42'])
    expect(wordsOf('R0007')).toEqual(['r0007', '0007', '7'])
    expect(wordsOf('0000')).toEqual(['0000', '0'])
  })

  test('have an address as a whole, and its end', () => {
    expect(wordsOf('zoe@far.example')).toEqual(['zoe@far.example', '@far.example', 'zoe', 'far', 'example'])
  })

  test('belong to their owner, and nothing typed escapes its quotes', () => {
    expect(invoiceVector(7, 'zoe')).toBe("'7:zoe'")
    expect(invoiceQueries(7, ["a'b\\c"])).toEqual(["'7:a''b\\\\c':*"])
  })
})

test.each([
  ['Zoë  ZOE', ['zoe']],
  ['inv-2026-42', ['inv', '2026', '42']],
  ['@far.example', ['@far.example']],
  ['100%', ['100']],
  ['%', []],
])('the terms of %s', (typed, terms) => {
  expect(searchTerms(typed)).toEqual(terms)
})
