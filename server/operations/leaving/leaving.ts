// What other domains may use of leaving.
export { startLeavingLoops } from './purge-accounts.ts'
export { deleteAccount } from './delete-account.ts'
export { restoreAccount, restoreAccountOf, type RestoreContext } from './restore-account.ts'
export { resumeMail, type ResumeContext } from './restore-account.ts'
export { leavingRoutes } from './routes.ts'
