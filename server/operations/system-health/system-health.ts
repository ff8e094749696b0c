// What other domains may use of the checks of this Howl.
export type { HealthContext } from './health-context.ts'
export { LIMITS } from './limits.ts'
export { systemHealthRoutes } from './routes.ts'
export { runChecks } from './run-check.ts'
