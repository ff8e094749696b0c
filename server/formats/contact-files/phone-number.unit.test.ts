import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { phoneCountry, phoneReader } from './phone-number.ts'

describe('phone numbers', () => {
  it.each([
    ['DE', '030 901820', '+49 30 901820'],
    ['DE', '0049 (0)30/901820', '+49 30 901820'],
    ['DE', '+1 (212) 555-0123', '+1 212 555 0123'],
    ['US', '212.555.0123 x12', '+1 212 555 0123 ext. 12'],
    ['GB', '020 7946 0018', '+44 20 7946 0018'],
    // An incomplete number of that country stays as it is.
    ['DE', '12', '12'],
    ['DE', 'ask Kim', 'ask Kim'],
    ['US', '1-800-FLOWERS', '1-800-FLOWERS'],
    ['DE', '030 901820 / 0171 2345678', '030 901820 / 0171 2345678'],
    ['DE', '', ''],
  ] as const)('in %s, %s is %s', async (country, typed, read) => {
    expect((await phoneReader(country))(typed)).toBe(read)
  })

  it('belong to the country of the profile, else to that of the time zone', async () => {
    expect(phoneCountry({ country: 'FR', time_zone: 'Europe/Berlin' })).toBe('FR')
    expect(phoneCountry({ country: null, time_zone: 'Europe/Berlin' })).toBe('DE')
    expect(phoneCountry({ country: null, time_zone: 'Pacific/Apia' })).toBeUndefined()
    expect((await phoneReader(undefined))('030 901820')).toBe('030 901820')
    expect((await phoneReader(undefined))('+4930901820')).toBe('+49 30 901820')
  })

  it('do not change when read a second time', async () => {
    const read = await phoneReader('DE')
    const typed = fc.oneof(fc.stringMatching(/^\+?[0-9 ()/.-]{0,20}( ?(x|ext\.) ?[0-9]{1,4})?$/), fc.string())
    fc.assert(
      fc.property(typed, (text) => read(read(text)) === read(text)),
      { numRuns: 2000 },
    )
  })
})
