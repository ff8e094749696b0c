import { abuse } from './abuse.ts'
import { activities } from './activities.ts'
import { admin } from './admin.ts'
import { adminAnalytics } from './admin-analytics.ts'
import { adminAuth } from './admin-auth.ts'
import { adminFeedback } from './admin-feedback.ts'
import { aiUsage } from './ai-usage.ts'
import { automaticMail } from './automatic-mail.ts'
import { assistant } from './assistant.ts'
import { bans } from './bans.ts'
import { briefs } from './briefs.ts'
import { auth } from './auth.ts'
import { contactImports } from './contact-imports.ts'
import { contacts } from './contacts.ts'
import { dashboard } from './dashboard.ts'
import { emails } from './emails.ts'
import { emailConfirmation } from './email-confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { exchangeRates } from './exchange-rates.ts'
import { health } from './health.ts'
import { invoiceMail } from './invoice-mail.ts'
import { invoices } from './saved-invoices.ts'
import { followUps } from './follow-ups.ts'
import { heldMails } from './held-mail.ts'
import { leaving } from './leaving.ts'
import { ownModel } from './own-model.ts'
import { mailboxes } from './mailboxes.ts'
import { mailboxOauth } from './mailbox-oauth.ts'
import { mailboxSetup } from './mailbox-setup.ts'
import { meetings } from './meetings.ts'
import { notifications } from './notifications.ts'
import { outreach } from './outreach.ts'
import { sequences } from './sequences.ts'
import { sharedInvoices } from './shared-invoices.ts'
import { paymentReminders } from './payment-reminders.ts'
import { passwordReset } from './password-reset.ts'
import { profile } from './profile.ts'
import { recurringInvoices } from './recurring-invoices.ts'
import { referrals } from './referrals.ts'
import { devices } from './devices.ts'
import { newAccounts } from './new-accounts.ts'
import { systemHealth } from './system-health.ts'
import { tax } from './tax.ts'
import { tags } from './tags.ts'
import { templates } from './templates.ts'
import { timeline } from './timeline.ts'
import { todos } from './todos.ts'
import { twoStep } from './two-step.ts'
import { writing } from './writing.ts'

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
