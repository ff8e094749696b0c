// What other domains may use of auth.
export { presentAccount } from './present.ts'
export { startAuthLoops } from './purge-sessions.ts'
export { authRoutes } from './routes.ts'
export { addSystemUser, findSystemUser } from './system-user.ts'
export { findCaller, forgetCallers, isSessionLive } from './sessions.ts'
export { changeUser, findUser, type UserChanges, type UserRow, usersSeenSince } from './store.ts'
