import { startAbuseLoops } from './abuse/abuse.ts'
import { startActivityLoops } from './activities/activities.ts'
import { startAiRequestLoops } from './ai-requests/ai-requests.ts'
import { startAuthLoops } from './auth/auth.ts'
import { startBanLoops } from './bans/bans.ts'
import { startContactImportLoops } from './contact-imports/contact-imports.ts'
import { startContactLoops } from './contacts/contacts.ts'
import type { Context } from './context.ts'
import { startCreditLoops } from './credits/credits.ts'
import { emailJobs, startEmailLoops } from './emails/emails.ts'
import { startForgettingCalls } from './http/idempotency.ts'
import { startFollowUpLoops } from './follow-ups/follow-ups.ts'
import { startInvoiceMailLoops } from './invoice-mail/invoice-mail.ts'
import { startInvoiceLoops } from './invoices/invoices.ts'
import type { Job } from './jobs/define-job.ts'
import type { Loop } from './jobs/loop.ts'
import { startPaymentReminderLoops } from './payment-reminders/payment-reminders.ts'
import { startLeavingLoops } from './leaving/leaving.ts'
import { startNotificationLoops } from './notifications/notifications.ts'
import { outreachJobs, startOutreachLoops } from './outreach/outreach.ts'
import { startPracticeLoops } from './practice-mail/practice-mail.ts'
import { startReminderLoops } from './reminders/reminders.ts'
import { startSequenceLoops } from './sequences/sequences.ts'
import { startSystemMailLoops } from './system-sender/system-sender.ts'

/** The jobs of every domain. */
export const JOBS: readonly Job[] = [...emailJobs, ...outreachJobs]

/** Starts the background loops of every domain; each looks for what is due. */
export function startLoops(context: Context): Loop[] {
  return [
    ...startForgettingCalls(context),
    ...startActivityLoops(context),
    ...startNotificationLoops(context),
    ...startAbuseLoops(context),
    ...startAuthLoops(context),
    ...startContactLoops(context),
    ...startContactImportLoops(context),
    ...startEmailLoops(context),
    ...startOutreachLoops(context),
    ...startFollowUpLoops(context),
    ...startSequenceLoops(context),
    ...startPracticeLoops(context),
    ...startReminderLoops(context),
    ...startCreditLoops(context),
    ...startAiRequestLoops(context),
    ...startInvoiceLoops(context),
    ...startInvoiceMailLoops(context),
    ...startPaymentReminderLoops(context),
    ...startLeavingLoops(context),
    ...startBanLoops(context),
    ...startSystemMailLoops(context),
  ]
}
