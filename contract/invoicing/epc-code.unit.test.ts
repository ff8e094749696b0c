import { expect, it } from 'vitest'
import { epcCode } from './epc-code.ts'

const transfer = {
  name: 'Muster Bakery',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'cobadeff xxx',
  amount: 123_450,
  text: 'INV-2026-0001',
}

it('is the text that banking apps read, to the letter', () =>
  expect(epcCode(transfer)).toBe(
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nMuster Bakery\nDE89370400440532013000\nEUR1234.50\n\n\nINV-2026-0001',
  ))

it('needs no BIC, and leaves out one that is none', () => {
  expect(epcCode({ ...transfer, bic: '' })?.split('\n')[4]).toBe('')
  expect(epcCode({ ...transfer, bic: 'COBA' })?.split('\n')[4]).toBe('')
})

it.each([
  [1, 'EUR0.01'],
  [100, 'EUR1.00'],
  [99_999_999_999, 'EUR999999999.99'],
])('writes %s cents as %s', (amount, written) =>
  expect(epcCode({ ...transfer, amount })?.split('\n')[7]).toBe(written),
)

it.each([
  ['nothing to pay', { amount: 0 }],
  ['too much', { amount: 100_000_000_000 }],
  ['a credit', { amount: -1 }],
  ['half a cent', { amount: 1.5 }],
  ['no IBAN', { iban: '' }],
  ['an IBAN with a slip', { iban: 'DE98 3704 0044 0532 0130 00' }],
  ['no name', { name: ' \n' }],
])('is none for %s', (_what, fields) => expect(epcCode({ ...transfer, ...fields })).toBeNull())

it('keeps to its lines and to its length', () => {
  const long =
    epcCode({ ...transfer, name: `Bäckerei\n${'शर्मा '.repeat(40)}`, text: 'नम्बर '.repeat(10) }) ?? ''
  expect(long.split('\n')).toHaveLength(11)
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(331)
  expect(long.split('\n')[5]?.startsWith('Bäckerei शर्मा')).toBe(true)
})
