// What other domains may use of exchange rates.
export { rateRoutes } from './routes.ts'
