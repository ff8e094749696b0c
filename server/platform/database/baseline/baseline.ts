import { accounts } from './accounts.ts'
import { activities } from './accounts-activities.ts'
import { assistant } from './assistant.ts'
import { contactImports } from './crm-contact-imports.ts'
import { contacts } from './crm-contacts.ts'
import { meetingsAndTodos } from './crm-meetings-todos.ts'
import { invoices } from './invoicing-invoices.ts'
import { invoiceMail } from './invoicing-reminders.ts'
import { deliveries } from './mail-deliveries.ts'
import { emails } from './mail-emails.ts'
import { emailLists } from './mail-lists.ts'
import { mailboxes } from './mail-mailboxes.ts'
import { models } from './models.ts'
import { operations } from './operations.ts'
import { abuse } from './operations-abuse.ts'
import { admin } from './operations-admin.ts'
import { followUps } from './outreach-follow-ups.ts'
import { outreachRuns } from './outreach-runs.ts'
import { sequenceTriggers } from './outreach-sequence-triggers.ts'
import { sequences } from './outreach-sequences.ts'
import { platform } from './platform.ts'

/**
 * The schema of the first released version, group by group: tables with their indexes, then views, functions and triggers.
 * A table comes after those that it refers to, so users come first and contacts after mails.
 *
 * Every owned table has `user_id` first in its primary key and in every foreign key, so that a row cannot point into another
 * tenant's data. Times come from the application's clock, never from SQL's now().
 */
export const baseline = [
  accounts,
  activities,
  platform,
  models,
  mailboxes,
  emails,
  emailLists,
  deliveries,
  contacts,
  contactImports,
  meetingsAndTodos,
  invoices,
  invoiceMail,
  outreachRuns,
  followUps,
  sequences,
  sequenceTriggers,
  assistant,
  admin,
  abuse,
  operations,
].join('')
