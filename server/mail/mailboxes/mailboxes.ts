// What other domains may use of mailboxes.
export {
  dialGuardOf,
  hasImap,
  imapAccountOf,
  isConfigured,
  practiceMailboxNamed,
  practicePasswordFits,
  senderOf,
  SMTP_NOT_CONFIGURED,
  smtpAccountOf,
} from './accounts.ts'
export { defaultAccount } from './accounts-of-user.ts'
export { clearMailboxes } from './disconnect.ts'
export { changeFollowUps, followUpSettings, stopFollowUps } from './follow-ups-store.ts'
export { mailboxRoutes } from './routes.ts'
export {
  claimDueMailboxes,
  CLEARING,
  forgetFolders,
  holdsMailbox,
  isBeingCleared,
  leftPractice,
  loadFolders,
  lockMailboxes,
  mailbox,
  type Mailbox,
  mailboxesOf,
  mailboxesReadBy,
  type MailboxFolder,
  noteRead,
  noteSendOk,
  pauseSending,
  primaryMailbox,
  type ReadFailure,
  readForActions,
  READING,
  readSoon,
  releaseMailbox,
  removeMailbox,
  newFolder,
  saveFolder,
  takeBackReads,
  usersWhoLeft,
} from './store.ts'
export { saveSystemMailbox } from './save-system-mailbox.ts'
export { returnTokens, takeTokens, tokensNow } from './hourly-limit.ts'
export {
  hastenTroubles,
  loadTroubles,
  type MailboxTrouble,
  removeDraftTrouble,
  removeTrouble,
  saveTrouble,
} from './troubles-store.ts'
export { isTold, toldFrom } from './trouble-sentences.ts'
export type { TroubleKind } from './tables.ts'
