import { describe, expect, it } from 'vitest'
import { checkRandomInvoices } from '../../tests/support/random-invoices.ts'
import { sumInvoice } from './invoice-sums.ts'
import { AMOUNT_MAX } from './money.ts'

const line = (quantity: number, unitPrice: number, tax = 0, discount = 0) => ({
  quantity,
  unitPrice,
  discount,
  tax,
})

describe('the sums of an invoice', () => {
  it('are lines plus tax minus discount, and what is left to pay', () => {
    expect(sumInvoice([line(2000, 150_00, 18_000), line(1500, 10_01, 5_000, 10_000)], 20_00, 100_00)).toEqual(
      {
        lines: [
          { gross: 300_00, discount: 0, net: 300_00 },
          // 1.5 × 10.01 = 15.015, rounded up; 10% of 15.02 is 1.502.
          { gross: 15_02, discount: 1_50, net: 13_52 },
        ],
        net: 313_52,
        taxes: [
          { percent: 5_000, net: 13_52, tax: 68 },
          { percent: 18_000, net: 300_00, tax: 54_00 },
        ],
        tax: 54_68,
        discount: 20_00,
        total: 348_20,
        paid: 100_00,
        due: 248_20,
      },
    )
  })

  it('take the tax once for each rate: a hundred lines of 3 cents pay no hundred half cents', () => {
    expect(
      sumInvoice(
        Array.from({ length: 100 }, () => line(1000, 3, 19_000)),
        0,
        0,
      )?.tax,
    ).toBe(57)
  })

  it('are never below 0, whatever was paid or taken off', () => {
    expect(sumInvoice([line(1000, 5_00, 20_000)], 0, 7_00)).toMatchObject({ total: 6_00, due: 0 })
    expect(sumInvoice([line(1000, 5_00, 20_000)], 100_00, 0)).toMatchObject({
      discount: 6_00,
      total: 0,
      due: 0,
    })
    expect(sumInvoice([], 1_00, 1_00)).toMatchObject({ net: 0, total: 0, due: 0 })
  })

  it('are not told beyond the largest amount', () => {
    expect(sumInvoice([line(1000, AMOUNT_MAX)], 0, 0)?.total).toBe(AMOUNT_MAX)
    expect(sumInvoice([line(2000, AMOUNT_MAX)], 0, 0)).toBeNull()
    expect(sumInvoice([line(1000, AMOUNT_MAX, 1_000)], 0, 0)).toBeNull()
  })

  it('add up for 10,000 random invoices', () => checkRandomInvoices(10_000, 20_261_123))
})
