type ExchangeRatesTable = {
  base: string
  rates: Record<string, number> | null
  as_of: Date | null
  fetched_at: Date | null
  source: string | null
  next_try_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    exchange_rates: ExchangeRatesTable
  }
}
