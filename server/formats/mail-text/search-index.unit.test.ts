import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressesOf, foldText, searchVector, termsOf } from './search-index.ts'

const nothing = { fromName: '', fromAddress: '', to: '', subject: '', text: '' }
const words = (text: string) => termsOf(foldText(text))

describe('foldText and wordsOf', () => {
  test('letter case and accents make no difference, in any script', () => {
    expect(words('Über die BRÜCKE, élan vital')).toEqual(['uber', 'die', 'brucke', 'elan', 'vital'])
    expect(words('Straße Łódź Ærø smørrebrød')).toEqual(['strasse', 'lodz', 'aero', 'smorrebrod'])
    expect(words('ΑΘΉΝΑ Москва')).toEqual(['αθηνα', 'москва'])
    expect(foldText('İstanbul')).toBe('istanbul')
  })

  test('punctuation divides, digits are words', () => {
    expect(words('e-mail: 1,250.50 EUR (net)')).toEqual(['e', 'mail', '1', '250', '50', 'eur', 'net'])
  })

  test('scripts without blanks are taken letter by letter, pictures are words', () => {
    expect(words('東京タワー visit 🎉')).toEqual(['東', '京', 'タ', 'ワ', 'ー', 'visit', '🎉'])
  })

  test('a word is compared up to 64 letters', () => {
    expect(words('x'.repeat(5000))).toEqual(['x'.repeat(64)])
  })

  test('addresses are found whole', () => {
    expect(addressesOf(foldText('Write to Bob.Builder+news@Far.Example, or <ann@near.example>.'))).toEqual([
      'bob.builder+news@far.example',
      'ann@near.example',
    ])
  })
})

describe('searchVector', () => {
  test('holds every word under its owner, and that of a field a second time', () => {
    expect(searchVector(17, { ...nothing, subject: 'Big offer' })).toBe(
      "'17:big':31 '17s:big':31 '17:offer':32 '17s:offer':32",
    )
  })

  test('an address is there whole and in parts', () => {
    const vector = searchVector(1, { ...nothing, fromAddress: 'Bob@Far.example' })
    for (const each of ['1:bob@far.example', '1f:bob@far.example', '1:bob', '1f:bob', '1:far', '1:example'])
      expect(vector).toContain(`'${each}':`)
  })

  test('stays within what the database takes, whatever the text', () => {
    const long = Array.from({ length: 60_000 }, (_, n) => `${n}`.repeat(3)).join(' ')
    const vector = searchVector(9, { ...nothing, text: long })
    expect(Buffer.byteLength(vector)).toBeLessThan(1_000_000)
    expect(vector.split(' ').length).toBeLessThanOrEqual(12_000)
  })

  test('never opens a quotation that it does not close', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const vector = searchVector(3, { fromName: text, fromAddress: text, to: text, subject: text, text })
        expect(vector.replaceAll(/'(?:[^'\\]|''|\\\\)+':\d+(?:,\d+)*(?: |$)/g, '')).toBe('')
      }),
      { numRuns: 50 },
    )
  })
})
