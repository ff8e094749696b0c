import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { CURRENCIES, type CurrencyCode } from './money.ts'

export type Rates = Record<CurrencyCode, number>

/** Every rate is 1: nothing is known, and amounts are not converted. */
export const NO_RATES = Object.fromEntries(CURRENCIES.map(({ code }) => [code, 1])) as Rates

export const exchangeRates = {
  get: endpoint({
    method: 'GET',
    path: '/exchange-rates',
    summary: 'What one US dollar is worth in each currency; every rate is 1 while nothing is known',
    reply: z.object({
      base: z.literal('USD'),
      rates: z.record(z.string(), z.number()),
      /** When the service made these rates; null if no rate is known. */
      as_of: z.nullable(z.string()),
      /** The host that they came from, which asks to be named; null if no rate is known. */
      source: z.nullable(z.string()),
      /** True if the rates are older than a day and an hour, or unknown. */
      stale: z.boolean(),
    }),
  }),
}
