import { describe, expect, it } from 'vitest'
import { POSTAL_COUNTRIES, postalCountryName } from './postal-countries.ts'
import { printedReason, proposedReason, TAX_CATEGORIES, withCategory } from './vat-category.ts'

describe('the reason for no tax', () => {
  it('is proposed with the category, and goes with it', () => {
    const exempt = withCategory({ tax_category: 'S', tax_reason: '' }, 'E')
    expect(exempt).toEqual({ tax_category: 'E', tax_reason: 'Exempt from VAT' })
    expect(withCategory(exempt, 'O').tax_reason).toBe('Not subject to VAT')
    expect(withCategory(exempt, 'S').tax_reason).toBe('')
  })

  it('stays where it was written, and is not printed where none is needed', () => {
    const own = { tax_category: 'E' as const, tax_reason: 'Section 19 UStG' }
    const changed = withCategory(own, 'S')
    expect(changed.tax_reason).toBe('Section 19 UStG')
    expect(printedReason(changed)).toBe('')
    expect(printedReason(withCategory(changed, 'AE'))).toBe('Section 19 UStG')
  })

  it('is there for all categories but two', () =>
    expect(TAX_CATEGORIES.filter((category) => proposedReason(category) === '')).toEqual(['S', 'Z']))
})

describe('the countries of addresses', () => {
  it('each have a name that the Latin font can print', () => {
    expect(POSTAL_COUNTRIES).toHaveLength(249)
    expect(POSTAL_COUNTRIES.filter(({ code }) => !/^[A-Z]{2}$/.test(code))).toEqual([])
    expect(POSTAL_COUNTRIES.filter(({ name }) => !/^[\u0020-\u00ff’]{3,}$/.test(name))).toEqual([])
    expect(postalCountryName('AT')).toBe('Austria')
    expect(postalCountryName('XX')).toBe('XX')
  })
})
