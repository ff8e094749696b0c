// Money without floating point: every amount is an integer of minor units (cents; yen; fils).

/** The largest amount that an invoice may have, in minor units: 10,000,000,000.00 in most currencies. */
export const AMOUNT_MAX = 1_000_000_000_000

/** The currencies that an invoice can be in. */
export const CURRENCIES = [
  { code: 'USD', symbol: '$', name: 'US dollar' },
  { code: 'EUR', symbol: '€', name: 'Euro' },
  { code: 'GBP', symbol: '£', name: 'Pound sterling' },
  { code: 'INR', symbol: '₹', name: 'Indian rupee' },
  { code: 'AED', symbol: 'د.إ', name: 'UAE dirham' },
  { code: 'AUD', symbol: 'A$', name: 'Australian dollar' },
  { code: 'JPY', symbol: '¥', name: 'Japanese yen' },
  { code: 'CNY', symbol: 'CN¥', name: 'Chinese yuan' },
  { code: 'SGD', symbol: 'S$', name: 'Singapore dollar' },
  { code: 'ZAR', symbol: 'R', name: 'South African rand' },
  { code: 'BRL', symbol: 'R$', name: 'Brazilian real' },
  { code: 'CAD', symbol: 'CA$', name: 'Canadian dollar' },
] as const
export type CurrencyCode = (typeof CURRENCIES)[number]['code']

/** The currency that prices are entered in while amounts are converted. */
export const BASE_CURRENCY = 'USD'

// ISO 4217. A table of our own, because browsers and Node take theirs from different versions of CLDR, which differs from
// ISO for some currencies and has changed its mind before.
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** How many decimals the minor unit of a currency has (ISO 4217): JPY 0, USD 2, KWD 3. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2
}

/**
 * `numerator / denominator`, rounded to an integer; a half goes away from zero, as people round by hand and as tax offices
 * show it. The denominator is positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const half = denominator / 2n
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded =
    denominator % 2n === 0n ? (size + half) / denominator : (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** A number that was typed: scaled to an integer of its last decimal; or the word that stands beside the field. */
export type Typed = { value: number } | { why: string }

/**
 * Reads a decimal that was typed ("12.50"), scaled by 10^`decimals`. Neither signs nor exponents nor thousands separators
 * are read: what could be meant in two ways is asked about. Nothing typed is 0.
 */
export function readDecimal(typed: string, decimals: number, max: number = AMOUNT_MAX): Typed {
  const text = typed.trim()
  if (text === '') return { value: 0 }
  if (/^-\s*[\d.,]+$/.test(text)) return { why: 'This cannot be below 0' }
  if (/^[\d.,\s]*,[\d.,\s]*$/.test(text)) return { why: 'Please use a point for decimals, as in 12.50' }
  const [, whole = '', part = ''] = /^(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === '' && part === '') return { why: 'Please enter a number' }
  const digits = part.replace(/0+$/, '')
  if (digits.length > decimals) return { why: decimalsWord(decimals) }
  const scaled = BigInt(`${whole}${digits.padEnd(decimals, '0')}`)
  if (scaled > BigInt(max)) return { why: `At most ${plain(max, decimals)}` }
  return { value: Number(scaled) }
}

function decimalsWord(decimals: number): string {
  if (decimals === 0) return 'Please enter a whole number'
  return decimals === 1 ? 'At most one decimal' : `At most ${decimals} decimals`
}

/** An integer scaled by 10^`decimals` as digits with a point ("1234.5" without trailing zeros). */
export function plain(scaled: number, decimals: number): string {
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0')
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${scaled < 0 ? '-' : ''}${whole}${decimals > 0 && part !== '' ? `.${part}` : ''}`
}

/** Places behind the point that an exchange rate is taken with. */
const RATE_DECIMALS = 10

/**
 * An amount in minor units of `from`, times the rate, in minor units of `to`; rounded half away from zero.
 *
 * @param rate how many `to` one `from` is worth; positive and finite
 */
export function convert(minor: number, rate: number, from: string, to: string): number {
  const scaledRate = BigInt(rate.toFixed(RATE_DECIMALS).replace('.', ''))
  const numerator = BigInt(minor) * scaledRate * 10n ** BigInt(decimalsOf(to))
  return Number(divideRounded(numerator, 10n ** BigInt(RATE_DECIMALS + decimalsOf(from))))
}

/**
 * An amount as a page or a document shows it: symbol, thousands in groups of three, the currency's own decimals
 * ("$1,234.50", "¥1,235"). The same in every browser and in Node.
 */
export function money(minor: number, currency: string): string {
  const symbol = CURRENCIES.find(({ code }) => code === currency)?.symbol ?? `${currency}\u00a0`
  const number = amountDigits(Math.abs(minor), decimalsOf(currency))
  // An Arabic symbol beside digits is torn apart by a line break, and reads better with room.
  const joint = /\p{Script=Arabic}/u.test(symbol) ? '\u00a0' : ''
  return `${minor < 0 ? '\u2212' : ''}${symbol}${joint}${number}`
}

function amountDigits(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
}
