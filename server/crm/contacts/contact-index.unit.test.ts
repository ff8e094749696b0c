import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../../formats/mail-text/search-index.ts'
import { contactQueries, contactVector, searchTerms } from './contact-index.ts'

const BEA = {
  name: 'Bea Müller-Łukasz',
  email: 'Bea.M@mail.north.example',
  company: "O'Hara & Sons",
  position: '',
  phone: '+49 (30) 123-45 67',
  notes: 'met_at the fair; before: bea@south.example, @bea_paints',
}

/** Like the search: every term must begin an entry of the contact. */
function finds(typed: string, contact = BEA, user = 7): boolean {
  const words = [...contactVector(user, contact).matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word)
  const wanted = [
    ...contactQueries(user, typed)
      .join(' ')
      .matchAll(/'((?:[^']|'')*)':\*/g),
  ].map(([, word = '']) => word)
  return wanted.every((each) => words.some((word) => word.startsWith(each)))
}

/** The beginning of a word, in whole characters. */
function beginning(word: string, cut: number): string {
  const letters = Array.from(word)
  return letters.slice(0, 1 + (cut % letters.length)).join('')
}

describe('a search for contacts', () => {
  test.each([
    'bea',
    'MULL',
    'müller',
    'lukasz bea',
    'bea.m@mail.n',
    '@mail.north',
    'north.example',
    "o'hara",
    '+49 30',
    '30 123',
    '301234567',
    '4567',
    'met_at',
    'bea@south.ex',
    '@south',
    '@bea_p',
    '"Bea" <bea.m@mail.north.example>,',
  ])('finds %j', (typed) => expect(finds(typed)).toBe(true))

  test.each(['ea', 'ller', '@north', 'bea carl', '%', '456 7 8', '4568', 'bea@mail'])(
    'does not find %j',
    (typed) => expect(finds(typed)).toBe(false),
  )

  test('finds a name with an @ in it', () => {
    const cafe = { ...BEA, name: 'C@fe Müller', company: 'Sm@rt Ｈ@us' }
    for (const typed of ['c@fe', 'C@FE mül', 'c@', 'sm@rt', 'h@us', 'fe'])
      expect(finds(typed, cafe), typed).toBe(true)
  })

  test('finds every contact by any of its words, and by the beginning of one', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(text, text, fc.nat(), (name, notes, cut) => {
        const contact = { ...BEA, name, notes }
        // What has an @ is looked for as an address; other signs become one when they are folded.
        for (const word of searchTerms(foldText(name).replaceAll('@', ' '))) {
          // The ends of long telephone numbers are entries as well; digits alone may be one of those or none.
          if (!/^\d+$/.test(word)) expect(finds(beginning(word, cut), contact)).toBe(true)
        }
      }),
    )
  })
})
