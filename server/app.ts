import { abuseRoutes } from './operations/abuse/abuse.ts'
import { activityRoutes, noteDeniedTries } from './accounts/activities/activities.ts'
import { adminRoutes } from './operations/admin/admin.ts'
import { adminAuthRoutes } from './accounts/admin-auth/admin-auth.ts'
import { aiUsageRoutes } from './models/ai-requests/ai-requests.ts'
import { assistantRoutes } from './assistant/assistant.ts'
import { authRoutes, findAdministrator, findCaller, holdSession } from './accounts/auth/auth.ts'
import { automaticMailRoutes } from './outreach/automatic-mail/automatic-mail.ts'
import { banRoutes } from './operations/bans/bans.ts'
import { briefRoutes } from './outreach/briefs/briefs.ts'
import { contactImportRoutes } from './crm/contact-imports/contact-imports.ts'
import { contactRoutes, tagRoutes } from './crm/contacts/contacts.ts'
import type { Context } from './platform/context.ts'
import { dashboardRoutes } from './overview/dashboard/dashboard.ts'
import { emailRoutes, takeBackWaiting } from './mail/emails/emails.ts'
import { eventRoutes } from './platform/http/events-route.ts'
import type { LiveHub } from './platform/http/events.ts'
import { healthRoutes } from './platform/http/health-routes.ts'
import { buildServer } from './platform/http/listen.ts'
import { metricsRoutes } from './platform/http/metrics-routes.ts'
import type { Server } from './platform/http/server.ts'
import { serveStaticFiles } from './platform/http/static-files.ts'
import { clearInvoiceLinks, invoiceMailRoutes } from './invoicing/invoice-mail/invoice-mail.ts'
import { followUpRoutes, plannedFollowUps, withdrawFollowUps } from './outreach/follow-ups/follow-ups.ts'
import { invoiceRoutes, pauseRecurring, recurringRoutes } from './invoicing/invoices/invoices.ts'
import {
  paymentReminderRoutes,
  plannedReminders,
  switchOffReminders,
} from './invoicing/payment-reminders/payment-reminders.ts'
import { backupRoutes } from './operations/backup/backup.ts'
import { leavingRoutes } from './operations/leaving/leaving.ts'
import { clearOwnModel, ownModelRoutes } from './models/language-models/language-models.ts'
import { clearMailboxes, mailboxRoutes } from './mail/mailboxes/mailboxes.ts'
import { meetingRoutes } from './crm/meetings/meetings.ts'
import { notificationRoutes } from './accounts/notifications/notifications.ts'
import { outreachRoutes, pauseRuns, plannedByRun } from './outreach/runs/runs.ts'
import { profileRoutes } from './accounts/profile/profile.ts'
import { rateRoutes } from './invoicing/rates/rates.ts'
import { referralRoutes } from './operations/referrals/referrals.ts'
import { pauseSequences, plannedSteps, sequenceRoutes } from './outreach/sequences/sequences.ts'
import { systemHealthRoutes } from './operations/system-health/system-health.ts'
import { taxRoutes } from './invoicing/tax/tax.ts'
import { templateRoutes } from './outreach/templates/templates.ts'
import { timelineRoutes } from './overview/timeline/timeline.ts'
import { todoRoutes } from './crm/todos/todos.ts'

/**
 * What the first new password of an account that may be another's clears: everything by which somebody who opened it with another's
 * address could read, write or shut out. What acts by itself or lets others in belongs here.
 */
const SETUPS = [
  pauseSequences,
  pauseRuns,
  withdrawFollowUps,
  switchOffReminders,
  pauseRecurring,
  takeBackWaiting,
  clearMailboxes,
  clearOwnModel,
  clearInvoiceLinks,
]

/** Builds the whole HTTP side, ready to listen, from every domain's routes. */
export async function buildApp(context: Context, hub: LiveHub): Promise<Server> {
  const app = await buildServer(context, { findCaller, findAdministrator, holdSession })
  noteDeniedTries(app)
  metricsRoutes(app)
  healthRoutes(app)
  eventRoutes(app, hub)
  authRoutes(app, SETUPS)
  profileRoutes(app)
  todoRoutes(app)
  contactRoutes(app)
  contactImportRoutes(app)
  tagRoutes(app)
  meetingRoutes(app)
  mailboxRoutes(app)
  ownModelRoutes(app)
  briefRoutes(app)
  automaticMailRoutes(app, [plannedByRun, plannedFollowUps, plannedSteps, plannedReminders])
  outreachRoutes(app)
  followUpRoutes(app)
  templateRoutes(app)
  sequenceRoutes(app)
  emailRoutes(app)
  invoiceRoutes(app)
  invoiceMailRoutes(app)
  recurringRoutes(app)
  paymentReminderRoutes(app)
  timelineRoutes(app)
  dashboardRoutes(app)
  assistantRoutes(app)
  aiUsageRoutes(app)
  activityRoutes(app)
  leavingRoutes(app)
  banRoutes(app)
  backupRoutes(app)
  referralRoutes(app)
  taxRoutes(app)
  rateRoutes(app)
  adminAuthRoutes(app)
  adminRoutes(app)
  notificationRoutes(app)
  abuseRoutes(app)
  systemHealthRoutes(app)
  await serveStaticFiles(app)
  return app
}
