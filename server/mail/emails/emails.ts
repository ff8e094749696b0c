import type { Context } from '../../platform/context.ts'
import type { Loop } from '../../platform/jobs/loop.ts'
import { startPurging } from './retention/purge-deleted.ts'
import { startPurgingUploads } from './content/purge-uploads.ts'
import { startDelivering } from './delivery/delivery-loop.ts'
import { startSyncing } from './sync/sync-loop.ts'
import { startIndexing } from './list/index-emails.ts'
import { startAskingAboutReplies } from './intents/ask-about-replies.ts'

// What other domains may use of emails.
export { countUnreadReplies, mailActivity } from './messages/activity-store.ts'
export { countEmails } from './list/count-emails.ts'
export { countSentSince } from './list/counts-store.ts'
export { listEmails } from './list/list-emails.ts'
export { listThread } from './list/list-thread.ts'
export { unpackRaw } from './content/pack-raw.ts'
export { readBody } from './content/read-body.ts'
export { findListed, type ListedEmail } from './messages/store.ts'
export { repliedRecipient } from './replies/reply-to-email.ts'
export { readConversation } from './replies/conversation.ts'
export { previewFollowUp } from './replies/preview-follow-up.ts'
export { previewReply } from './replies/preview-reply.ts'
export {
  listedMail,
  type PreparedMail,
  type PreparedOptions,
  sendEmail,
  sendPrepared,
} from './compose/send-email.ts'
export { saveDraft } from './compose/save-draft.ts'
export { suppressContacts } from './suppressions/suppress-contacts.ts'
export { clearMails } from './retention/clear-mails.ts'
export { correspondence } from './list/correspondence.ts'
export { correspondentOf, mailedAmong, mailedSince, repliedSince } from './messages/correspondents-store.ts'
export {
  countGroup,
  countQueued,
  deliveriesOf,
  type GroupCount,
  holdGroup,
  releaseGroup,
  putOffClaims,
  tryNow,
  withdrawEmails,
  withdrawGroup,
} from './delivery/groups-store.ts'
export { onTheWayAmong } from './delivery/settlements-store.ts'
export { settleEntries } from './delivery/acceptance-journal.ts'
export {
  heldMails,
  holdWaitingMails,
  leaveOutHeld,
  leftAmong,
  openEmailsAfter,
  removeSystemEmails,
  settleLeft,
} from './delivery/held-store.ts'
export { deliveryOutcomes, type DeliveryOutcome } from './delivery/delivery-outcomes.ts'
export { cancelEmail, takeBackWaiting } from './compose/cancel-email.ts'
export { discardDraft } from './compose/discard-draft.ts'
export { accountToSendBy, connectedMailbox, senderFor } from './compose/sender.ts'
export { presentEmail } from './present.ts'
export { stopsMail } from './suppressions/stops-mail.ts'
export { countWaiting, takeBackClaims } from './delivery/claims-store.ts'
export { removeSystemEmail } from './retention/clear-store.ts'
export { ingestRaw } from './ingest/ingest-raw.ts'
export { startReleasingClaims } from './delivery/delivery-loop.ts'
export { makeDelivery } from './delivery/make-delivery.ts'
export { type EmailToQueue, enqueueEmails } from './delivery/enqueue-emails.ts'
export { emailRoutes } from './routes.ts'
export type { DeliveryState } from './tables.ts'
export { keepSuppressions, adoptKeptSuppressions } from './suppressions/kept-suppressions.ts'
export { carriedSuppressions, newerSuppressions, suppressedAmong } from './suppressions/suppressions-store.ts'
export { exampleUnsubscribeUrl, unsubscribeUrl } from './suppressions/unsubscribe-link.ts'

/** Starts the loops of emails: sending, syncing, indexing, asking what replies want, and purging. */
export function startEmailLoops(context: Context): Loop[] {
  return [
    ...startDelivering(context),
    ...startSyncing(context),
    ...startIndexing(context),
    startAskingAboutReplies(context),
    startPurging(context),
    ...startPurgingUploads(context),
  ]
}
