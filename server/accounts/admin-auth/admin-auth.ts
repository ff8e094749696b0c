// What other domains may use of admin-auth.
export { newAccessCodes } from './access-codes.ts'
export { makeAdministrator, refuseLast, unmakeAdministrator } from './make-administrator.ts'
export { prepareAdministrators, type Welcome } from './prepare.ts'
export { adminAuthRoutes } from './routes.ts'
export { removeClaims } from './store.ts'
