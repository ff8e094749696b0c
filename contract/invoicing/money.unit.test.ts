import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AMOUNT_MAX,
  convert,
  CURRENCIES,
  decimalsOf,
  divideRounded,
  money,
  plain,
  readDecimal,
} from './money.ts'

describe('minor units', () => {
  it('are those of ISO 4217', () => {
    expect([decimalsOf('USD'), decimalsOf('JPY'), decimalsOf('KWD')]).toEqual([2, 0, 3])
  })

  it('are those that Intl shows, for each currency of an invoice', () => {
    for (const { code } of CURRENCIES) {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
      expect([code, decimalsOf(code)]).toEqual([code, format.resolvedOptions().maximumFractionDigits])
    }
  })

  it('are rounded half away from zero', () => {
    const cases = [
      [5n, 2n, 3n],
      [-5n, 2n, -3n],
      [4n, 3n, 1n],
      [5n, 3n, 2n],
      [-1n, 3n, 0n],
      [3n, 6n, 1n],
      [7n, 7n, 1n],
    ] as const
    for (const [top, bottom, result] of cases) expect(divideRounded(top, bottom)).toBe(result)
  })
})

describe('a number that was typed', () => {
  it('is read to the last decimal', () => {
    expect(readDecimal('19.99', 2)).toEqual({ value: 1999 })
    expect(readDecimal(' 7 ', 2)).toEqual({ value: 700 })
    expect(readDecimal('.5', 3)).toEqual({ value: 500 })
    expect(readDecimal('0.1000000', 2)).toEqual({ value: 10 })
    expect(readDecimal('', 2)).toEqual({ value: 0 })
    expect(readDecimal('10000000000', 2)).toEqual({ value: AMOUNT_MAX })
  })

  it.each([
    ['NaN', 'Please enter a number'],
    ['1e309', 'Please enter a number'],
    ['Infinity', 'Please enter a number'],
    ['.', 'Please enter a number'],
    ['0x10', 'Please enter a number'],
    ['١٢', 'Please enter a number'],
    ['-1', 'This cannot be below 0'],
    ['12,5', 'Please use a point for decimals, as in 12.50'],
    ['1,234.50', 'Please use a point for decimals, as in 12.50'],
    ['1.005', 'At most 2 decimals'],
    ['10000000000.01', 'At most 10000000000'],
    ['9'.repeat(400), 'At most 10000000000'],
  ])('is asked about if it is %s', (typed, why) => {
    expect(readDecimal(typed, 2)).toEqual({ why })
  })

  it('is the one that is written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: AMOUNT_MAX }),
        fc.constantFrom(0, 1, 2, 3),
        (scaled, decimals) => {
          expect(readDecimal(plain(scaled, decimals), decimals)).toEqual({ value: scaled })
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('conversion', () => {
  it('minds the decimals of both currencies', () => {
    expect(convert(100_00, 151.237, 'USD', 'JPY')).toBe(15_124)
    expect(convert(100_00, 0.307, 'USD', 'KWD')).toBe(30_700)
    expect(convert(10_00, 83.125, 'USD', 'INR')).toBe(831_25)
    expect(convert(1, 0.5, 'USD', 'EUR')).toBe(1)
  })

  it('changes nothing at a rate of 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: AMOUNT_MAX }),
        (minor) => convert(minor, 1, 'USD', 'EUR') === minor,
      ),
    )
  })
})

describe('an amount on a page', () => {
  it.each([
    [123_450, 'USD', '$1,234.50'],
    [5, 'EUR', '€0.05'],
    [1_234_567, 'JPY', '¥1,234,567'],
    [-99, 'GBP', '−£0.99'],
    [100_000, 'AED', 'د.إ\u00a01,000.00'],
    [1_000_500, 'KWD', 'KWD\u00a01,000.500'],
  ])('%i of %s is %s', (minor, currency, shown) => {
    expect(money(minor, currency)).toBe(shown)
  })
})
