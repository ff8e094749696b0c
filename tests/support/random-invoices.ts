import fc from 'fast-check'
import { expect } from 'vitest'
import { type InvoiceSums, PERCENT_MAX, type SumLine, sumInvoice } from '#contract/invoicing/invoice-sums.ts'
import { AMOUNT_MAX } from '#contract/invoicing/money.ts'

const percent = fc.oneof(
  fc.constantFrom(0, 5_000, 7_000, 12_000, 18_000, 19_000, 20_000),
  fc.integer({ min: 0, max: PERCENT_MAX }),
)
const line: fc.Arbitrary<SumLine> = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((whole) => whole * 1000),
    fc.integer({ min: 0, max: 99_999 }),
  ),
  unitPrice: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 1_000_000_000 })),
  discount: fc.oneof(fc.constant(0), percent),
  tax: percent,
})
const amount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 }))
const invoice = fc.tuple(fc.array(line, { maxLength: 12 }), amount, amount)

/** Checks the sums of this many random invoices by other means than the sums are made by. */
export function checkRandomInvoices(count: number, seed: number): void {
  fc.assert(
    fc.property(invoice, ([lines, discount, paid]) => {
      const sums = sumInvoice(lines, discount, paid)
      if (sums === null) {
        const rough = lines.reduce((sum, one) => sum + (one.quantity / 1000) * one.unitPrice, 0)
        expect(rough * 2).toBeGreaterThan(AMOUNT_MAX * 0.99)
        return
      }
      addsUp(sums, lines, discount, paid)
    }),
    { numRuns: count, seed },
  )
}

// `expect` for each of some million comparisons would take most of the time.
function addsUp(sums: InvoiceSums, lines: readonly SumLine[], discount: number, paid: number): void {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  const add = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
  for (const [index, one] of lines.entries()) {
    const own = sums.lines[index]
    if (own === undefined) continue
    // |exact − rounded| is at most a half; compared in integers, so that nothing is rounded here.
    const off = BigInt(one.quantity) * BigInt(one.unitPrice) - BigInt(own.gross) * 1000n
    must(off < 500n && off >= -500n, `line ${index}: quantity × price`)
    const discountOff = BigInt(own.gross) * BigInt(one.discount) - BigInt(own.discount) * 100_000n
    must(discountOff < 50_000n && discountOff >= -50_000n, `line ${index}: discount`)
    must(own.net === own.gross - own.discount && own.net >= 0, `line ${index}: net`)
  }
  must(sums.lines.length === lines.length, 'lines')
  must(sums.net === add(sums.lines.map(({ net }) => net)), 'net')
  must(sums.tax === add(sums.taxes.map(({ tax }) => tax)), 'tax')
  for (const { percent: rate, net, tax } of sums.taxes) {
    const own = add(lines.map((one, index) => (one.tax === rate ? (sums.lines[index]?.net ?? 0) : 0)))
    must(own === net, `base of ${rate}`)
    const off = BigInt(net) * BigInt(rate) - BigInt(tax) * 100_000n
    must(off < 50_000n && off >= -50_000n, `tax of ${rate}`)
  }
  must(sums.discount === Math.min(discount, sums.net + sums.tax), 'discount')
  must(sums.total === sums.net + sums.tax - sums.discount && sums.total >= 0, 'total')
  must(sums.due === Math.max(0, sums.total - paid), 'due')
  const all = [sums.net, sums.tax, sums.total, sums.due, ...sums.lines.flatMap((one) => Object.values(one))]
  must(
    all.every((one) => Number.isSafeInteger(one) && one >= 0 && one <= AMOUNT_MAX),
    'whole amounts',
  )
  if (faults.length > 0) throw new Error(faults.join(', '))
}
