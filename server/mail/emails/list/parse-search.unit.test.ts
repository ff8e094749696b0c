import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSearch, searchQuery } from './parse-search.ts'

const parse = (typed: string, zone = 'UTC') => parseSearch(typed, zone)
const query = (typed: string) => searchQuery(7, parse(typed))

describe('parseSearch', () => {
  test('all words are required; the last one is a prefix', () => {
    expect(query('Summer offer')).toBe("('7:summer') & ('7:offer':*)")
    expect(query('to be')).toBe("('7:to') & ('7:be')")
  })

  test('a phrase is consecutive words; its last word is not a prefix', () => {
    expect(query('"Summer offer" 2026')).toBe("('7:summer' <-> '7:offer') & ('7:2026':*)")
    expect(query('"summer"')).toBe("('7:summer')")
  })

  test('fields', () => {
    expect(query('from:Bob subject:"big deal" to:ann@near.example')).toBe(
      "('7f:bob') & ('7s:big' <-> '7s:deal') & ('7t:ann@near.example':*)",
    )
    expect(query('FROM:Müller x')).toBe("('7f:muller') & ('7:x')")
  })

  test('words divided by punctuation are consecutive', () => {
    expect(query('e-mail x')).toBe("('7:e' <-> '7:mail') & ('7:x')")
    expect(query('@far.example')).toBe("('7:far' <-> '7:example':*)")
  })

  test('conditions that are not words', () => {
    expect(parse('has:attachment is:unread is:starred in:archive')).toEqual({
      terms: [],
      folder: 'archived',
      starred: true,
      unread: true,
      attachments: true,
      after: null,
      before: null,
    })
    expect(parse('is:read in:draft')).toMatchObject({ unread: false, folder: 'drafts', terms: [] })
    expect(searchQuery(7, parse('has:attachment'))).toBeNull()
  })

  test("days are in the user's time zone", () => {
    expect(parse('after:2026-01-01 before:2026/03/01', 'Europe/Berlin')).toMatchObject({
      after: new Date('2025-12-31T23:00:00Z'),
      before: new Date('2026-02-28T23:00:00Z'),
      terms: [],
    })
    expect(parse('after:2025').after).toEqual(new Date('2025-01-01T00:00:00Z'))
  })

  test('an unknown operator, or an unknown value, is words', () => {
    expect(query('has:patience')).toBe("('7:has' <-> '7:patience':*)")
    expect(query('before:tomorrow')).toBe("('7:before' <-> '7:tomorrow':*)")
    expect(query('before:2026-02-30')).toBe("('7:before' <-> '7:2026' <-> '7:02' <-> '7:30')")
    expect(query('https://far.example/x')).toBe("('7:https' <-> '7:far' <-> '7:example' <-> '7:x')")
    expect(query('Re: plans')).toBe("('7:re') & ('7:plans':*)")
  })

  test('an empty search finds no terms', () => {
    for (const typed of ['', '   ', '"', '""', 'from:', '!?', 'from:""', '\\', "'"])
      expect(query(typed)).toBeNull()
  })

  test('no input is an error or escapes its quotation', () => {
    const pieces = fc.constantFrom(
      '"',
      "'",
      '\\',
      ':',
      '*',
      '&',
      '|',
      '!',
      '<->',
      '(',
      ')',
      'from:',
      'is:',
      'a',
      'bob@x.y',
      ' ',
      '🎉',
      '東京',
    )
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
    )
    const lexeme = String.raw`'(?:[^'\\]|''|\\\\)+'`
    const term = String.raw`\(${lexeme}(?: <-> ${lexeme})*(?::\*)?\)`
    const whole = new RegExp(`^${term}(?: & ${term})*$`, 'u')
    fc.assert(
      fc.property(typed, (text) => {
        const found = query(text)
        if (found !== null) expect(found).toMatch(whole)
      }),
      { numRuns: 60 },
    )
  })
})
