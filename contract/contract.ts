import { abuse } from './operations/abuse.ts'
import { activities } from './accounts/activities.ts'
import { admin } from './operations/admin.ts'
import { adminAnalytics } from './operations/admin-analytics.ts'
import { adminAuth } from './accounts/admin-auth.ts'
import { adminFeedback } from './operations/admin-feedback.ts'
import { aiUsage } from './models/ai-usage.ts'
import { automaticMail } from './outreach/automatic-mail.ts'
import { assistant } from './assistant/assistant.ts'
import { bans } from './operations/bans.ts'
import { briefs } from './outreach/briefs.ts'
import { auth } from './accounts/auth.ts'
import { contactImports } from './crm/contact-imports.ts'
import { contacts } from './crm/contacts.ts'
import { dashboard } from './overview/dashboard.ts'
import { emails } from './mail/emails.ts'
import { emailConfirmation } from './accounts/email-confirmation.ts'
import type { Endpoint } from './platform/endpoint.ts'
import { events } from './platform/events.ts'
import { exchangeRates } from './invoicing/exchange-rates.ts'
import { health } from './platform/health.ts'
import { invoiceMail } from './invoicing/invoice-mail.ts'
import { invoices } from './invoicing/saved-invoices.ts'
import { followUps } from './outreach/follow-ups.ts'
import { heldMails } from './mail/held-mail.ts'
import { leaving } from './operations/leaving.ts'
import { ownModel } from './models/own-model.ts'
import { mailboxes } from './mail/mailboxes.ts'
import { mailboxOauth } from './mail/mailbox-oauth.ts'
import { mailboxSetup } from './mail/mailbox-setup.ts'
import { meetings } from './crm/meetings.ts'
import { notifications } from './accounts/notifications.ts'
import { outreach } from './outreach/runs.ts'
import { sequences } from './outreach/sequences.ts'
import { sharedInvoices } from './invoicing/shared-invoices.ts'
import { paymentReminders } from './invoicing/payment-reminders.ts'
import { passwordReset } from './accounts/password-reset.ts'
import { profile } from './accounts/profile.ts'
import { recurringInvoices } from './invoicing/recurring-invoices.ts'
import { referrals } from './operations/referrals.ts'
import { devices } from './accounts/devices.ts'
import { newAccounts } from './accounts/new-accounts.ts'
import { systemHealth } from './operations/system-health.ts'
import { tax } from './invoicing/tax.ts'
import { tags } from './crm/tags.ts'
import { templates } from './outreach/templates.ts'
import { timeline } from './overview/timeline.ts'
import { todos } from './crm/todos.ts'
import { twoStep } from './accounts/two-step.ts'
import { writing } from './mail/writing.ts'

const domains = {
  activities,
  auth: { ...auth, ...devices, ...newAccounts },
  passwordReset,
  emailConfirmation,
  twoStep,
  profile,
  contacts,
  contactImports,
  tags,
  mailboxes: { ...mailboxes, ...mailboxSetup },
  emails,
  writing,
  timeline,
  briefs,
  automaticMail,
  outreach,
  followUps,
  sequences,
  templates,
  meetings,
  todos,
  dashboard,
  referrals,
  tax,
  exchangeRates,
  invoices,
  invoiceMail,
  recurringInvoices,
  sharedInvoices,
  paymentReminders,
  assistant,
  aiUsage,
  events,
  leaving,
  heldMails,
  mailboxOauth,
  adminAuth,
  admin,
  notifications,
  bans,
  abuse,
  adminAnalytics,
  adminFeedback,
  ownModel,
  systemHealth,
  health,
}

/** Every call of the contract by its name (`contacts.list`); the sweep over all routes reads it. */
export const CONTRACT: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(domains).flatMap(([domain, calls]) =>
    Object.entries(calls).map(([name, call]): [string, Endpoint] => [`${domain}.${name}`, call as Endpoint]),
  ),
)
