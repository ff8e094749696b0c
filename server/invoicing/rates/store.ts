import { sql } from 'kysely'
import { BASE_CURRENCY } from '#contract/invoicing/money.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import type { FetchedRates } from '../../platform/gateways/exchange-rates.ts'
import { hasRows } from '../../platform/database/rows.ts'

export type KnownRates = { rates: Record<string, number>; asOf: Date; fetchedAt: Date; source: string }

/** The newest rates that ever came; undefined if none did. */
export async function readRates(db: Queryable): Promise<KnownRates | undefined> {
  const row = await db
    .selectFrom('exchange_rates')
    .select(['rates', 'as_of', 'fetched_at', 'source'])
    .where('base', '=', BASE_CURRENCY)
    .executeTakeFirst()
  if (!row?.rates || !row.as_of || !row.fetched_at) return undefined
  return { rates: row.rates, asOf: row.as_of, fetchedAt: row.fetched_at, source: row.source ?? '' }
}

/** True for one process only, once after each `next_try_at`; the next try is then put off until `next`. */
export async function claimTry(db: Queryable, now: Date, next: Date) {
  return hasRows(db)`
    INSERT INTO exchange_rates AS e (base, next_try_at) VALUES (${BASE_CURRENCY}, ${next})
    ON CONFLICT (base) DO UPDATE SET next_try_at = excluded.next_try_at WHERE e.next_try_at <= ${now}
    RETURNING 1`
}

/** Keeps what came, and says when to ask again. A currency that the service has left out keeps its last rate. */
export async function keepRates(
  db: Queryable,
  { rates, asOf, source }: FetchedRates & { source: string },
  at: { now: Date; next: Date },
): Promise<void> {
  await sql`
    UPDATE exchange_rates SET rates = coalesce(rates, '{}') || ${JSON.stringify(rates)}::jsonb, as_of = ${asOf},
      fetched_at = ${at.now}, source = ${source}, next_try_at = ${at.next}
    WHERE base = ${BASE_CURRENCY}`.execute(db)
}
