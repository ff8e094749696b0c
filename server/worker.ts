import { startAbuseLoops } from './operations/abuse/abuse.ts'
import { startActivityLoops } from './accounts/activities/activities.ts'
import { startAiRequestLoops } from './models/ai-requests/ai-requests.ts'
import { startAuthLoops } from './accounts/auth/auth.ts'
import { startBanLoops } from './operations/bans/bans.ts'
import { startContactImportLoops } from './crm/contact-imports/contact-imports.ts'
import { startContactLoops } from './crm/contacts/contacts.ts'
import type { Context } from './platform/context.ts'
import { startCreditLoops } from './accounts/credits/credits.ts'
import { startEmailLoops, startReleasingClaims } from './mail/emails/emails.ts'
import { startForgettingCalls } from './platform/http/idempotency.ts'
import { startFollowUpLoops } from './outreach/follow-ups/follow-ups.ts'
import { startInvoiceMailLoops } from './invoicing/invoice-mail/invoice-mail.ts'
import { startInvoiceLoops } from './invoicing/invoices/invoices.ts'
import { type Loop, startFindingLostWork } from './platform/jobs/loop.ts'
import { startPaymentReminderLoops } from './invoicing/payment-reminders/payment-reminders.ts'
import { startLeavingLoops } from './operations/leaving/leaving.ts'
import { startNotificationLoops } from './accounts/notifications/notifications.ts'
import { startOutreachLoops } from './outreach/runs/runs.ts'
import { startPracticeLoops } from './mail/practice-mail/practice-mail.ts'
import { startReminderLoops } from './overview/reminders/reminders.ts'
import { startSequenceLoops } from './outreach/sequences/sequences.ts'
import { startSystemMailLoops } from './mail/system-sender/system-sender.ts'

/** Starts the loops of a process that serves pages and does no other background work. */
export function startWebLoops(context: Context): Loop[] {
  return [startReleasingClaims(context)]
}

/** Starts the background loops of every domain; each looks for what is due. */
export function startLoops(context: Context): Loop[] {
  const loops = [
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
  return [...loops, startFindingLostWork(context, loops)]
}
