import { AMOUNT_MAX, divideRounded } from './money.ts'

/** Named limits of an invoice's numbers. */
export const LINES_MAX = 500
export const QUANTITY_DECIMALS = 3
export const QUANTITY_MAX = 1_000_000_000
export const PERCENT_DECIMALS = 3
export const PERCENT_MAX = 100_000

/**
 * One line in integers: the quantity in thousandths, the unit price in minor units of the invoice's currency, percentages
 * in thousandths of a percent (19% is 19,000).
 */
export type SumLine = { quantity: number; unitPrice: number; discount: number; tax: number }

export type LineSums = {
  /** Quantity times unit price. */
  gross: number
  discount: number
  /** What the line comes to, before tax. */
  net: number
}

/** The tax of all lines with one rate. */
export type TaxSum = { percent: number; net: number; tax: number }

export type InvoiceSums = {
  lines: LineSums[]
  /** All lines before tax. */
  net: number
  /** One entry for each rate above 0, the lowest first. */
  taxes: TaxSum[]
  tax: number
  /** The document's discount, as far as there is something to take it from. */
  discount: number
  /** Net plus tax minus discount. */
  total: number
  paid: number
  /** What is left to pay, never below 0. */
  due: number
}

/**
 * What an invoice comes to, in minor units of its currency: total = sum of quantity × unit price, plus tax, minus discount;
 * amount due = total − amount paid, never below 0.
 *
 * What is rounded, half away from zero:
 *
 * 1. each line's quantity × unit price, and each line's discount. These amounts are printed, and printed amounts must add up
 *    when the customer adds them;
 * 2. the tax once for each rate, of the sum of the lines with that rate. So the tax is the rate of the printed sum (EN 16931,
 *    BR-CO-17), and a hundred lines of 3 cents do not pay a hundred half cents.
 *
 * Nothing else needs rounding: the rest is adding. The discount is taken after tax and can make the total 0, not less.
 *
 * @returns null if an amount is beyond AMOUNT_MAX
 */
export function sumInvoice(lines: readonly SumLine[], discount: number, paid: number): InvoiceSums | null {
  const sums = lines.map(sumLine)
  const rates = new Map<number, bigint>()
  let net = 0n
  for (const [index, { tax }] of lines.entries()) {
    const own = sums[index]?.net ?? 0n
    net += own
    if (tax > 0) rates.set(tax, (rates.get(tax) ?? 0n) + own)
  }
  const taxes = [...rates]
    .toSorted(([a], [b]) => a - b)
    .map(([percent, base]) => ({
      percent,
      net: base,
      tax: divideRounded(base * BigInt(percent), HUNDRED_PERCENT),
    }))
  const tax = taxes.reduce((sum, one) => sum + one.tax, 0n)
  const taken = least(BigInt(discount), net + tax)
  const total = net + tax - taken
  const due = total > BigInt(paid) ? total - BigInt(paid) : 0n
  const highest = BigInt(AMOUNT_MAX)
  if (net + tax > highest || sums.some((line) => line.gross > highest)) return null
  return {
    lines: sums.map((line) => ({
      gross: Number(line.gross),
      discount: Number(line.discount),
      net: Number(line.net),
    })),
    net: Number(net),
    taxes: taxes.map((one) => ({ percent: one.percent, net: Number(one.net), tax: Number(one.tax) })),
    tax: Number(tax),
    discount: Number(taken),
    total: Number(total),
    paid,
    due: Number(due),
  }
}

const HUNDRED_PERCENT = 100n * 10n ** BigInt(PERCENT_DECIMALS)
const ONE = 10n ** BigInt(QUANTITY_DECIMALS)
const least = (one: bigint, other: bigint) => (one < other ? one : other)

function sumLine({ quantity, unitPrice, discount }: SumLine) {
  const gross = divideRounded(BigInt(quantity) * BigInt(unitPrice), ONE)
  const taken = divideRounded(gross * BigInt(discount), HUNDRED_PERCENT)
  return { gross, discount: taken, net: gross - taken }
}
