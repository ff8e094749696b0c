// What other domains may use of auth.
export {
  beginPurges,
  endMailPause,
  findDeleted,
  markDeleted,
  removeUser,
  unmarkDeleted,
} from './deleted-accounts-store.ts'
export { removeLostTwoStep } from './change-two-step.ts'
export { presentAccount } from './present.ts'
export { startAuthLoops } from './purge-sessions.ts'
export { restorableSince, restorableUntil, writtenDay } from './restorable-until.ts'
export { USERNAME_TAKEN } from './register.ts'
export { authRoutes } from './routes.ts'
export { addSystemUser, findSystemUser } from './system-user.ts'
export { findCaller, forgetCallers, isSessionLive } from './sessions.ts'
export {
  changeUser,
  endOtherSessions,
  findUser,
  type UserChanges,
  type UserRow,
  usersSeenSince,
} from './store.ts'
