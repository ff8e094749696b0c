// What other parts may use of mailboxes.
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
export { mailboxRoutes } from './routes.ts'
export {
  claimDueMailboxes,
  forgetFolders,
  holdsMailbox,
  loadFolders,
  mailbox,
  type Mailbox,
  mailboxesOf,
  mailboxesReadBy,
  type MailboxFolder,
  noteRead,
  noteSendOk,
  pauseSending,
  primaryMailbox,
  readForActions,
  READING,
  readSoon,
  releaseMailbox,
  saveFolder,
} from './store.ts'
export { takeTokens } from './take-tokens.ts'
