import { PERCENT_DECIMALS, QUANTITY_DECIMALS } from '../invoice-sums.ts'
import { decimalsOf, plain } from '../money.ts'

/** An amount with all decimals of its currency: "12.50", in yen "13". */
export function amountText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export const percentText = (thousandths: number): string => plain(thousandths, PERCENT_DECIMALS)

export const quantityText = (thousandths: number): string => plain(thousandths, QUANTITY_DECIMALS)
