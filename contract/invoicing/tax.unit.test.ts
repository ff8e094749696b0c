import { describe, expect, it } from 'vitest'
import { isTaxNumber, taxOf } from './tax.ts'

const GSTIN = '27AAPFU0939F1ZV'

describe('a tax number', () => {
  it.each([
    ['IN', GSTIN, true],
    ['IN', ' 27aapfu0939f1zv ', true],
    // One character off: the check character tells.
    ['IN', '27AAPFU0939F1ZW', false],
    ['IN', '28AAPFU0939F1ZV', false],
    ['IN', '27AAPFU0939F0ZV', false],
    ['IN', '27AAPFU0939F1XV', false],
    ['IN', '27AAPFU0939F1Z', false],
    ['IN', '', false],
    ['GB', '123456789', true],
    ['GB', '123 4567 89', true],
    ['GB', 'GB123456789012', true],
    ['GB', '12345678', false],
    ['GB', '1234567890', false],
    ['GB', '12345678X', false],
    ['DE', 'DE123456789', true],
    ['US', 'anything', true],
    ['FR', '   ', false],
  ])('of %s: %s is %s', (country, number, valid) => {
    expect(isTaxNumber(country, number)).toBe(valid)
  })
})

describe('the tax', () => {
  it.each([
    ['IN', 'other', GSTIN, 18, 'GST'],
    ['IN', 'saas', GSTIN, 18, 'GST'],
    ['IN', 'education', GSTIN, 12, 'GST'],
    ['IN', 'healthcare', GSTIN, 5, 'GST'],
    ['GB', 'healthcare', '123456789', 20, 'VAT'],
    ['DE', 'other', 'DE123456789', 0, 'NONE'],
    ['IN', 'saas', '27AAPFU0939F1ZW', 0, 'NONE'],
    ['GB', 'other', '', 0, 'NONE'],
  ] as const)('in %s of %s with %s is %i%% %s', (country, sector, number, tax_percent, tax_name) => {
    expect(taxOf(country, sector, number)).toEqual({ tax_percent, tax_name })
  })
})
