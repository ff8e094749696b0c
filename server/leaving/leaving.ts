// What other domains may use of leaving.
export { startLeavingLoops } from './purge-accounts.ts'
export { restoreAccount, type RestoreContext } from './restore-account.ts'
export { leavingRoutes } from './routes.ts'
