import { exchangeRates } from '#contract/invoicing/exchange-rates.ts'
import { BASE_CURRENCY, type CurrencyCode } from '#contract/invoicing/money.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'

export type RateState = {
  /** What one US dollar is worth; 1 where that is unknown or not wanted. */
  rate: number
  /** Amounts should be converted, but no rate is known. */
  isUnconverted: boolean
  /** What the user should know of the rate; null if nothing. */
  note: string | null
  isWarning: boolean
}

const RENEW_MS = 60 * 60_000

/** A rate that was fixed with another document. */
export type KeptRate = { rate: number; rate_date: string | null; from: string }

/** The rate that amounts are shown times, and what to say about it. */
export function useRate(currency: CurrencyCode, isWanted: boolean, kept: KeptRate | null = null): RateState {
  const { data, isPending } = useEndpoint(exchangeRates.get, {
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
  })
  const none = { rate: 1, isUnconverted: false, note: null, isWarning: false }
  if (!isWanted || currency === BASE_CURRENCY) return none
  if (kept !== null) {
    const isUnconverted = kept.rate_date === null
    const note = isUnconverted
      ? `Amounts are not converted, as in ${kept.from}.`
      : `1 USD = ${plainRate(kept.rate)} ${currency}, the rate of ${kept.from}.`
    return { rate: kept.rate, isUnconverted, note, isWarning: false }
  }
  if (isPending) return none
  const rate = data?.rates[currency]
  if (rate === undefined || data === undefined || data.as_of === null) {
    const note = `No exchange rate to ${currency} is known: amounts are not converted.`
    return { rate: 1, isUnconverted: true, note, isWarning: true }
  }
  const day = dateFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(data.as_of),
  )
  const said = `1 USD = ${plainRate(rate)} ${currency}`
  const by = data.source === null ? '' : ` by ${data.source}`
  const note = data.stale
    ? `${said}. This is the last known rate, of ${day}${by}.`
    : `${said}, the rate of ${day}${by}.`
  return { rate, isUnconverted: false, note, isWarning: data.stale }
}

const plainRate = (rate: number) => Number(rate.toPrecision(6)).toString()
