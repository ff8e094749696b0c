// What other domains may use of exchange rates.
export { currentRates } from './current-rates.ts'
export { rateRoutes } from './routes.ts'
