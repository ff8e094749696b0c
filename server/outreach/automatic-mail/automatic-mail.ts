// What other domains may use of automatic mail.
export { checkResend } from './check-resend.ts'
export { RECIPIENT_DOMAINS_MIN } from './figures.ts'
export { automaticMailRoutes } from './routes.ts'
export { idsOfMails, type Judge, judgeMails, untilWhen } from './judge-mails.ts'
export { noteQueued, ONCE_A_DAY, reserveMails, SUPPRESSED, type Wanted } from './reserve-mails.ts'
export {
  ANY_TIME,
  dayBegins,
  daysLater,
  localDay,
  nextDay,
  nextSendingTime,
  type SendingRules,
  sendingWindow,
} from './sending-times.ts'
export {
  dayAndTime,
  type Refused,
  refuseBeyond,
  rulesOf,
  sendingTime,
  type Standing,
  standingOf,
  waitsWithoutEnd,
} from './standing.ts'
export { adviseSpread } from './spread.ts'
export { type ClaimedMail, countOfEarlierDays, moveReservations, setWarmUp, type Source } from './store.ts'
export { type PlanSource, SEQUENCE_PAUSED } from './upcoming.ts'
export { warmUpCeiling } from './warm-up.ts'
