// What other domains may use of abuse.
export { startAbuseLoops } from './loops.ts'
export { abuseRoutes } from './routes.ts'
