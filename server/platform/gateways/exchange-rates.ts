import { BASE_CURRENCY, CURRENCIES } from '#contract/invoicing/money.ts'
import { readUpTo } from './dial-http.ts'
import { farWords } from './far-words.ts'

/** The whole answer must be here by then. */
export const RATES_DEADLINE_MS = 5_000
/** Bytes of an answer that are read; 170 currencies need about 5,000. */
const MAX_REPLY_BYTES = 256 * 1024
/** Rates older than this are refused: the service has stopped. Long enough for any row of holidays. */
const OLDEST_MS = 10 * 24 * 60 * 60_000
/** How far ahead the service's clock may be. */
const AHEAD_MS = 36 * 60 * 60_000
/** No currency of ours is worth less or more: beyond it the answer is a mistake. */
const LEAST_RATE = 1e-4
const MOST_RATE = 1e5

/** No rates came; `words` are fit for the log. */
export class RatesFailure extends Error {
  override readonly name = 'RatesFailure'
}

/** What one US dollar is worth, and when the service made these rates. */
export type FetchedRates = { rates: Record<string, number>; asOf: Date }

/**
 * Asks a public service for the rates of the US dollar. Understood are the shapes of open.er-api.com, exchangerate-api.com,
 * frankfurter.dev and openexchangerates.org: an object with `rates` (or `conversion_rates`) and a date. Currencies that the
 * service does not know are absent.
 *
 * @throws {RatesFailure} for any other answer, and after the deadline
 */
export async function fetchRates(
  url: string,
  now: Date,
  options: { deadlineMs?: number; signal?: AbortSignal } = {},
): Promise<FetchedRates> {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? RATES_DEADLINE_MS)
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal])
  try {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' }, redirect: 'error' })
    if (!response.ok) throw new RatesFailure(`the service answered ${response.status}`)
    return ratesFrom(JSON.parse(await readLimited(response)), now)
  } catch (error) {
    if (error instanceof RatesFailure) throw error
    if (deadline.aborted) throw new RatesFailure('the service took too long', { cause: error })
    if (error instanceof SyntaxError) throw new RatesFailure('the answer was no JSON', { cause: error })
    throw new RatesFailure(`no connection: ${farWords(String(error))}`, { cause: error })
  }
}

async function readLimited(response: Response): Promise<string> {
  const bytes = await readUpTo(response.body, MAX_REPLY_BYTES)
  if (bytes === null) throw new RatesFailure('the answer was far too long')
  return bytes.toString('utf8')
}

function ratesFrom(answer: unknown, now: Date): FetchedRates {
  const said = record(answer)
  const base = said['base_code'] ?? said['base'] ?? BASE_CURRENCY
  if (base !== BASE_CURRENCY) throw new RatesFailure('the rates are not those of the US dollar')
  const all = record(said['rates'] ?? said['conversion_rates'])
  const rates: Record<string, number> = { [BASE_CURRENCY]: 1 }
  for (const { code } of CURRENCIES) {
    const rate = all[code]
    if (rate === undefined || code === BASE_CURRENCY) continue
    if (typeof rate !== 'number' || !(rate >= LEAST_RATE && rate <= MOST_RATE))
      throw new RatesFailure(`the rate of ${code} makes no sense`)
    rates[code] = rate
  }
  if (Object.keys(rates).length === 1) throw new RatesFailure('the answer holds no rates')
  const asOf = dateOf(said)
  const age = now.getTime() - asOf.getTime()
  if (Number.isNaN(age)) throw new RatesFailure('the rates have no date')
  if (age > OLDEST_MS) throw new RatesFailure(`the rates are of ${asOf.toISOString().slice(0, 10)}`)
  if (age < -AHEAD_MS) throw new RatesFailure('the rates are of the future')
  return { rates, asOf }
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RatesFailure('the answer has another shape')
  return value as Record<string, unknown>
}

function dateOf(said: Record<string, unknown>): Date {
  const seconds = said['time_last_update_unix'] ?? said['timestamp']
  if (typeof seconds === 'number') return new Date(seconds * 1000)
  return new Date(typeof said['date'] === 'string' ? said['date'] : Number.NaN)
}
