// What other domains may use of auth.
export {
  beginPurges,
  deleteAgain,
  deletedUsersAfter,
  knownUsers,
  pauseAllMail,
  usersAfter,
  endMailPause,
  findDeleted,
  markDeleted,
  removeUser,
  unmarkDeleted,
} from './deleted-accounts-store.ts'
export { activeBansAfter, carriedBans, demoteFormer, usedCodesAfter, useUp } from './carried-over-store.ts'
export { banEnd, banReason } from './refuse-banned.ts'
export {
  addAppeal,
  addBan,
  type BanRow,
  findBan,
  findBanByToken,
  liftBan,
  lockUser,
  setAnswer,
  usersWithBanOver,
} from './bans-store.ts'
export { endBanIfOver } from './refuse-banned.ts'
export type { Cleared } from './clear-setup.ts'
export { mailConfirmation } from './confirm-email.ts'
export { endSession } from './end-session.ts'
export { type Delays, knowPlace, takeTry, takeTryBack } from './guess-store.ts'
export { appealSignature, refuseBanned } from './refuse-banned.ts'
export { takeSecondStep, userWithPassword } from './log-in.ts'
export { bareCode, newCode } from './recovery-codes.ts'
export { removeLostTwoStep } from './change-two-step.ts'
export { presentAccount, presentUser } from './present.ts'
export { startAuthLoops } from './purge-sessions.ts'
export { restorableSince, restorableUntil, writtenDay } from './restorable-until.ts'
export { USERNAME_TAKEN, whyAddressIsTaken } from './register.ts'
export { authRoutes } from './routes.ts'
export { addSystemUser, findSystemUser } from './system-user.ts'
export {
  findAdministrator,
  findCaller,
  forgetCallers,
  holdSession,
  isSessionLive,
  openSession,
} from './sessions.ts'
export {
  addUser,
  changeUser,
  countAdministrators,
  endAdminSessions,
  endOtherSessions,
  findUser,
  findUserByEmail,
  findUserByLogin,
  isMailPaused,
  setAdministrator,
  setPassword,
  type NewUser,
  type UserChanges,
  type UserRow,
  usersSeenSince,
} from './store.ts'
