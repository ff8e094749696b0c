import type { Context } from '../context.ts'
import type { Job } from '../jobs/define-job.ts'
import type { Loop } from '../jobs/loop.ts'
import { startPurging } from './purge-deleted.ts'
import { startPurgingUploads } from './purge-uploads.ts'
import { startDelivering } from './start-delivering.ts'
import { startReading } from './watch-mailboxes.ts'
import { startWritingWords } from './write-words.ts'

// What other parts may use of emails.
export { countUnreadReplies, mailActivity } from './activity-store.ts'
export { clearMails } from './clear-mails.ts'
export { correspondence } from './correspondence.ts'
export { mailedAmong, suppressedAmong } from './correspondent-store.ts'
export {
  countGroup,
  countQueued,
  deliveriesOf,
  type GroupCount,
  holdGroup,
  releaseGroup,
  withdrawGroup,
} from './delivery-groups-store.ts'
export { ingestRaw } from './incoming.ts'
export { type OutgoingDraft, queueEmails } from './queue-emails.ts'
export { emailRoutes } from './routes.ts'
export type { DeliveryState } from './tables.ts'
export { exampleUnsubscribeUrl, unsubscribeUrl } from './unsubscribe-link.ts'

export const emailJobs: readonly Job<never>[] = []

/** The standing work of emails: sending and reading. */
export function startEmailLoops(context: Context): Loop[] {
  return [
    ...startDelivering(context),
    ...startReading(context),
    ...startWritingWords(context),
    startPurging(context),
    ...startPurgingUploads(context),
  ]
}
