import { abuseRoutes } from './abuse/abuse.ts'
import { activityRoutes, noteDeniedTries } from './activities/activities.ts'
import { adminRoutes } from './admin/admin.ts'
import { adminAuthRoutes } from './admin-auth/admin-auth.ts'
import { aiUsageRoutes } from './ai-requests/ai-requests.ts'
import { assistantRoutes } from './assistant/assistant.ts'
import { authRoutes, findAdministrator, findCaller, holdSession } from './auth/auth.ts'
import { automaticMailRoutes } from './automatic-mail/automatic-mail.ts'
import { banRoutes } from './bans/bans.ts'
import { briefRoutes } from './briefs/briefs.ts'
import { contactImportRoutes } from './contact-imports/contact-imports.ts'
import { contactRoutes, tagRoutes } from './contacts/contacts.ts'
import type { Context } from './context.ts'
import { dashboardRoutes } from './dashboard/dashboard.ts'
import { emailRoutes, takeBackWaiting } from './emails/emails.ts'
import { eventRoutes } from './http/events-route.ts'
import type { LiveHub } from './http/events.ts'
import { healthRoutes } from './http/health-routes.ts'
import { buildServer } from './http/listen.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import type { Server } from './http/server.ts'
import { serveStaticFiles } from './http/static-files.ts'
import { clearInvoiceLinks, invoiceMailRoutes } from './invoice-mail/invoice-mail.ts'
import { followUpRoutes, planOfFollowUp, withdrawFollowUps } from './follow-ups/follow-ups.ts'
import { invoiceRoutes, pauseRecurring, recurringRoutes } from './invoices/invoices.ts'
import { paymentReminderRoutes, switchOffReminders } from './payment-reminders/payment-reminders.ts'
import { backupRoutes } from './backup/backup.ts'
import { leavingRoutes } from './leaving/leaving.ts'
import { clearOwnModel, ownModelRoutes } from './language-models/language-models.ts'
import { clearMailboxes, mailboxRoutes } from './mailboxes/mailboxes.ts'
import { meetingRoutes } from './meetings/meetings.ts'
import { notificationRoutes } from './notifications/notifications.ts'
import { outreachRoutes, pauseRuns, planOfRun } from './outreach/outreach.ts'
import { profileRoutes } from './profile/profile.ts'
import { rateRoutes } from './rates/rates.ts'
import { referralRoutes } from './referrals/referrals.ts'
import { pauseSequences, planOfSequences, sequenceRoutes } from './sequences/sequences.ts'
import { systemHealthRoutes } from './system-health/system-health.ts'
import { taxRoutes } from './tax/tax.ts'
import { templateRoutes } from './templates/templates.ts'
import { timelineRoutes } from './timeline/timeline.ts'
import { todoRoutes } from './todos/todos.ts'

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
  automaticMailRoutes(app, [planOfRun, planOfFollowUp, planOfSequences])
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
