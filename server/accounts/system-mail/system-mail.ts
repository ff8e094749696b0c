// What other domains may use of system mail.
export {
  contentOf,
  queueSystemMail,
  SENDING_SYSTEM_MAIL,
  type SystemMail,
  waitForSystemMail,
} from './queue-mail.ts'
export {
  dropHeldSystemMails,
  hasOpenMails,
  holdSystemMails,
  lockSystemMails,
  noteSending,
  noteSettled,
  releaseSystemMails,
  removeSettled,
  type SystemMailRow,
} from './store.ts'
export { type Paragraph, type SystemMailContent, writeSystemMail } from './queue-mail.ts'
