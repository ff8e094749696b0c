import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { type exchangeRates, NO_RATES } from '#contract/invoicing/exchange-rates.ts'
import { BASE_CURRENCY } from '#contract/invoicing/money.ts'
import type { Context } from '../../platform/context.ts'
import { fetchRates } from '../../platform/gateways/exchange-rates.ts'
import { claimTry, keepRates, readRates } from './store.ts'

const FETCH_EVERY_MS = 60 * 60_000
/** A service that failed is asked again sooner. */
const RETRY_MS = 5 * 60_000
/** After this without new rates they count as stale. Services renew theirs once a day. */
const FRESH_MS = 25 * 60 * 60_000

/**
 * The newest rates that are known, fetched when an hour has passed since the last time. Known rates are answered at once,
 * and renewed meanwhile; only who asks first waits for the service, five seconds at most. Never fails for want of rates.
 */
export async function currentRates(context: Context): Promise<ReplyOf<typeof exchangeRates.get>> {
  const { clock, db } = context
  const renewing = renewRates(context)
  let known = await readRates(db)
  if (known === undefined) {
    await renewing
    known = await readRates(db)
  }
  if (known === undefined)
    return { base: BASE_CURRENCY, rates: NO_RATES, as_of: null, source: null, stale: true }
  return {
    base: BASE_CURRENCY,
    rates: known.rates,
    as_of: known.asOf.toISOString(),
    source: known.source,
    stale: clock.now().getTime() - known.fetchedAt.getTime() > FRESH_MS,
  }
}

/** Fetches the rates if it is time, once for all who ask at the same time. */
function renewRates(context: Context): Promise<void> {
  const { memory } = context
  memory.renewingRates ??= fetchIfDue(context)
    .catch((error: unknown) => {
      if (!context.stopping.aborted)
        context.log.warn({ err: error }, 'no exchange rates came; the last known ones count')
    })
    .finally(() => {
      memory.renewingRates = null
    })
  return memory.renewingRates
}

async function fetchIfDue({ config, clock, db, stopping }: Context): Promise<void> {
  if (config.exchangeRatesUrl === null) return
  const now = clock.now()
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  if (!(await claimTry(db, now, after(RETRY_MS)))) return
  const fetched = await fetchRates(config.exchangeRatesUrl, now, { signal: stopping })
  const source = new URL(config.exchangeRatesUrl).hostname
  await keepRates(db, { ...fetched, source }, { now, next: after(FETCH_EVERY_MS) })
}
