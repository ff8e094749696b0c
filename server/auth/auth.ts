// What other parts may use of auth.
export { presentAccount } from './present.ts'
export { authRoutes } from './routes.ts'
export { findCaller, forgetCallers } from './sessions.ts'
export { changeUser, findUser, type UserChanges, type UserRow, usersSeenSince } from './store.ts'
