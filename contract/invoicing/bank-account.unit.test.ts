import { describe, expect, it } from 'vitest'
import { bicFault, ibanFault, shownIban } from './bank-account.ts'

describe('an IBAN', () => {
  it.each([
    'DE89 3704 0044 0532 0130 00',
    'gb29nwbk60161331926819',
    'FR14 2004 1010 0505 0001 3M02 606',
    'AT61 1904 3002 3457 3201',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'NO93 8601 1117 947',
    '',
  ])('is taken: %s', (iban) => expect(ibanFault(iban)).toBeNull())

  it.each([
    ['DE89 3704 0044 0532 0130 01', 'Please check this IBAN: a character is wrong'],
    ['DE98 3704 0044 0532 0130 00', 'Please check this IBAN: a character is wrong'],
    ['DE89 3704 0044 0532 0130 0', 'An IBAN from DE has 22 characters; this one has 21'],
    ['US89 3704 0044 0532 0130 00', 'No IBAN begins with US'],
    ['0532013000', 'An IBAN begins with two letters and two digits'],
    ['DE89-3704-0044', 'An IBAN begins with two letters and two digits'],
  ])('is refused with the reason: %s', (iban, why) => expect(ibanFault(iban)).toBe(why))

  it('is printed in groups of four', () =>
    expect(shownIban('de89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00'))
})

describe('a BIC', () => {
  it.each(['COBADEFF', 'cobadeffxxx', 'DEUTDEFF500', ''])('is taken: %s', (bic) =>
    expect(bicFault(bic)).toBeNull(),
  )
  it.each([
    ['COBADEF', 'A BIC has 8 or 11 characters'],
    ['COBADEFF1', 'A BIC has 8 or 11 characters'],
    ['12BADEFF', 'A BIC begins with six letters'],
  ])('is refused with the reason: %s', (bic, why) => expect(bicFault(bic)).toBe(why))
})
