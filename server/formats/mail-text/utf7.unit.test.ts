import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeUtf7 } from './utf7.ts'

const decoded = (text: string) => decodeUtf7(Buffer.from(text, 'latin1'))

it.each([
  // The examples of RFC 2152.
  ['A+ImIDkQ.', 'A≢Α.'],
  ['Hi Mom -+Jjo--!', 'Hi Mom -☺-!'],
  ['+ZeVnLIqe', '日本語'],
  ['Item 3 is +AKM-1.', 'Item 3 is £1.'],
  ['+2D3dhA-', '🖄'],
  ['1 +- 1', '1 + 1'],
  // What is no shifted piece stays.
  ['1 + 1, C++, +49 30 1234', '1 + 1, C++, +49 30 1234'],
  ['+A', '+A'],
  ['+2D0-', '+2D0-'],
])('%s is %s', (text, meant) => {
  expect(decoded(text)).toBe(meant)
})

it('gives back whatever was shifted', () => {
  const shifted = (text: string) =>
    `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`
  const text = fc
    .array(fc.integer({ min: 1, max: 0x10ffff }), { minLength: 1, maxLength: 10 })
    .map((codes) => String.fromCodePoint(...codes))
    .filter((value) => value.isWellFormed())
  fc.assert(fc.property(text, (value) => decoded(shifted(value)) === value))
})
