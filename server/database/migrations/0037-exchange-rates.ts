/** Exchange rates, kept so that a service that fails takes nothing away. */
export const exchangeRates = `
CREATE TABLE exchange_rates (
  base text PRIMARY KEY,           -- the currency that one unit is told of
  rates jsonb,                     -- what it is worth, by currency; null until some came
  as_of timestamptz,               -- when the service made them
  fetched_at timestamptz,
  source text,                     -- the host of the service
  next_try_at timestamptz NOT NULL -- whoever moves it on asks the service
);
`
