import type {
  AbuseAnswersTable,
  AbusePatternsTable,
  AbuseRoundsTable,
  FailedAddressesTable,
  SendingDaysTable,
} from '../abuse/tables.ts'
import type {
  AcceptedGapsTable,
  ActivitiesTable,
  ActivityChainTable,
  ActivityChecksTable,
} from '../activities/tables.ts'
import type { AdminAccessCodesTable, AdminClaimsTable } from '../admin-auth/tables.ts'
import type {
  AutomaticMailDaysTable,
  AutomaticMailsTable,
  AutomaticMailStopsTable,
  SendingRulesTable,
} from '../automatic-mail/tables.ts'
import type { AiCapsTable, AiDaysTable, AiHouseDaysTable, AiUsesTable } from '../ai-requests/tables.ts'
import type { BriefsTable } from '../briefs/tables.ts'
import type { ChatMessagesTable, ChatProposalsTable, ChatSessionsTable } from '../assistant/tables.ts'
import type { OwnModelsTable } from '../language-models/tables.ts'
import type { RestoreHoldsTable, RestoresTable } from '../backup/tables.ts'
import type {
  AppealsTable,
  BansTable,
  EmailConfirmationsTable,
  LogInTriesTable,
  PasswordResetsTable,
  RecoveryCodesTable,
  SessionsTable,
  TwoStepTable,
  UsersTable,
} from '../auth/tables.ts'
import type {
  ContactImportAdditionsTable,
  ContactImportChangesTable,
  ContactImportRepeatsTable,
  ContactImportTagsTable,
  ContactImportsTable,
} from '../contact-imports/tables.ts'
import type {
  ContactActivityView,
  ContactActionsTable,
  ContactCountsTable,
  ContactMeetingsView,
  ContactOpenedInvoicesView,
  ContactSearchQueueTable,
  ContactSearchTable,
  ContactStatusesTable,
  ContactsTable,
  ContactTagsTable,
  ContactTodosView,
  DeletedContactsTable,
  MailedCountsTable,
  TagsTable,
} from '../contacts/tables.ts'
import type {
  CompositionsTable,
  CorrespondentsTable,
  DeliveriesTable,
  DeliveryWorkersTable,
  EmailBodiesTable,
  RewrittenMessageIdsTable,
  EmailCountsTable,
  EmailFilesTable,
  EmailLocationsTable,
  EmailMailboxCountsTable,
  EmailSearchQueueTable,
  EmailSearchTable,
  EmailsTable,
  HeldMailsTable,
  InboxGroupsTable,
  KeptSuppressionsTable,
  MailActivityTable,
  PendingActionsTable,
  QuarantinedMailsTable,
  RelocationsTable,
  SuppressionsTable,
  TrustedSendersTable,
  UnsentCountsTable,
  UploadsTable,
  ProposedTextsTable,
  UnsureRepliesTable,
  WritingSettingsTable,
} from '../emails/tables.ts'
import type { InvoiceLinksTable, InvoiceMailsTable } from '../invoice-mail/tables.ts'
import type {
  MailsTakenBackView,
  PaymentReminderSettingsTable,
  PaymentRemindersTable,
  PaymentReminderSwitchesTable,
  PaymentReminderWorkTable,
} from '../payment-reminders/tables.ts'
import type { DepartureFeedbackTable } from '../leaving/tables.ts'
import type {
  AccountCountsTable,
  ActiveUsersTable,
  HouseActivityTable,
  SeenUsersTable,
} from '../admin/tables.ts'
import type { CallCountsTable, IdempotentRepliesTable, UploadReservationsTable } from '../http/tables.ts'
import type {
  InvoiceCountersTable,
  InvoicePaymentsTable,
  InvoiceSeriesTable,
  InvoicesTable,
  InvoiceTotalsTable,
  RecurringInvoicesTable,
} from '../invoices/tables.ts'
import type {
  FollowUpChoicesTable,
  FollowUpDaysTable,
  FollowUpMailsTable,
  FollowUpPlansTable,
} from '../follow-ups/tables.ts'
import type { WorkersTable } from '../jobs/tables.ts'
import type {
  FollowUpSettingsTable,
  MailboxesTable,
  MailboxFoldersTable,
  MailboxGrantsTable,
  MailboxQuarantineView,
  MailboxRefusalsView,
  MailboxTroublesTable,
  MailboxesInRunView,
  OauthRequestsTable,
} from '../mailboxes/tables.ts'
import type { MeetingAttendeesTable, MeetingsTable } from '../meetings/tables.ts'
import type { AdminNotificationsTable } from '../notifications/tables.ts'
import type { OutreachBatchesTable, OutreachItemsTable, OutreachPreviewsTable } from '../outreach/tables.ts'
import type { PracticeAnswersTable, PracticeFirstPeopleTable } from '../practice-mail/tables.ts'
import type { ExchangeRatesTable } from '../rates/tables.ts'
import type { CreditEntriesTable } from '../credits/tables.ts'
import type { ReferralCodesTable, ReferralInvitationsTable, ReferralsTable } from '../referrals/tables.ts'
import type {
  ContactsInSequencesView,
  SequenceMailsTable,
  SequenceMembersTable,
  SequencesTable,
  SequenceStartsTable,
  SequenceVersionsTable,
  SequenceWakesTable,
  SequenceWorkTable,
} from '../sequences/tables.ts'
import type { SystemMailsTable } from '../system-mail/tables.ts'
import type { TemplatesTable } from '../templates/tables.ts'
import type { TodosTable, TodoSubjectsView } from '../todos/tables.ts'

/** Every table of the database: the sum of the domains' row types. */
export type Tables = {
  activities: ActivitiesTable
  activity_chain: ActivityChainTable
  activity_checks: ActivityChecksTable
  accepted_gaps: AcceptedGapsTable
  users: UsersTable
  sessions: SessionsTable
  log_in_tries: LogInTriesTable
  bans: BansTable
  appeals: AppealsTable
  password_resets: PasswordResetsTable
  two_step: TwoStepTable
  recovery_codes: RecoveryCodesTable
  email_confirmations: EmailConfirmationsTable
  system_mails: SystemMailsTable
  referral_codes: ReferralCodesTable
  referral_invitations: ReferralInvitationsTable
  referrals: ReferralsTable
  credit_entries: CreditEntriesTable
  sequences: SequencesTable
  sequence_versions: SequenceVersionsTable
  sequence_starts: SequenceStartsTable
  sequence_members: SequenceMembersTable
  sequence_mails: SequenceMailsTable
  sequence_work: SequenceWorkTable
  sequence_wakes: SequenceWakesTable
  contacts_in_sequences: ContactsInSequencesView
  todos: TodosTable
  todo_subjects: TodoSubjectsView
  contacts: ContactsTable
  contact_activity: ContactActivityView
  contact_counts: ContactCountsTable
  contact_meetings: ContactMeetingsView
  contact_opened_invoices: ContactOpenedInvoicesView
  contact_todos: ContactTodosView
  contact_statuses: ContactStatusesTable
  contact_search: ContactSearchTable
  contact_search_queue: ContactSearchQueueTable
  tags: TagsTable
  contact_tags: ContactTagsTable
  contact_actions: ContactActionsTable
  deleted_contacts: DeletedContactsTable
  mailed_counts: MailedCountsTable
  contact_imports: ContactImportsTable
  contact_import_additions: ContactImportAdditionsTable
  contact_import_changes: ContactImportChangesTable
  contact_import_repeats: ContactImportRepeatsTable
  contact_import_tags: ContactImportTagsTable
  meetings: MeetingsTable
  meeting_attendees: MeetingAttendeesTable
  mailboxes: MailboxesTable
  follow_up_settings: FollowUpSettingsTable
  follow_up_plans: FollowUpPlansTable
  follow_up_days: FollowUpDaysTable
  follow_up_mails: FollowUpMailsTable
  follow_up_choices: FollowUpChoicesTable
  mailbox_folders: MailboxFoldersTable
  mailbox_grants: MailboxGrantsTable
  oauth_requests: OauthRequestsTable
  mailbox_quarantine: MailboxQuarantineView
  mailbox_refusals: MailboxRefusalsView
  mailboxes_in_run: MailboxesInRunView
  mailbox_troubles: MailboxTroublesTable
  emails: EmailsTable
  email_bodies: EmailBodiesTable
  rewritten_message_ids: RewrittenMessageIdsTable
  email_locations: EmailLocationsTable
  email_counts: EmailCountsTable
  email_mailbox_counts: EmailMailboxCountsTable
  email_search: EmailSearchTable
  email_search_queue: EmailSearchQueueTable
  inbox_groups: InboxGroupsTable
  mail_activity: MailActivityTable
  unsent_counts: UnsentCountsTable
  quarantined_mails: QuarantinedMailsTable
  pending_actions: PendingActionsTable
  relocations: RelocationsTable
  uploads: UploadsTable
  email_files: EmailFilesTable
  compositions: CompositionsTable
  deliveries: DeliveriesTable
  held_mails: HeldMailsTable
  delivery_workers: DeliveryWorkersTable
  correspondents: CorrespondentsTable
  suppressions: SuppressionsTable
  kept_suppressions: KeptSuppressionsTable
  trusted_senders: TrustedSendersTable
  automatic_mails: AutomaticMailsTable
  automatic_mail_days: AutomaticMailDaysTable
  automatic_mail_stops: AutomaticMailStopsTable
  sending_rules: SendingRulesTable
  outreach_batches: OutreachBatchesTable
  outreach_items: OutreachItemsTable
  outreach_previews: OutreachPreviewsTable
  briefs: BriefsTable
  templates: TemplatesTable
  practice_answers: PracticeAnswersTable
  practice_first_people: PracticeFirstPeopleTable
  idempotent_replies: IdempotentRepliesTable
  upload_reservations: UploadReservationsTable
  call_counts: CallCountsTable
  workers: WorkersTable
  restores: RestoresTable
  restore_holds: RestoreHoldsTable
  departure_feedback: DepartureFeedbackTable
  house_activity: HouseActivityTable
  account_counts: AccountCountsTable
  active_users: ActiveUsersTable
  seen_users: SeenUsersTable
  exchange_rates: ExchangeRatesTable
  invoices: InvoicesTable
  invoice_payments: InvoicePaymentsTable
  invoice_series: InvoiceSeriesTable
  invoice_counters: InvoiceCountersTable
  invoice_totals: InvoiceTotalsTable
  invoice_mails: InvoiceMailsTable
  invoice_links: InvoiceLinksTable
  recurring_invoices: RecurringInvoicesTable
  payment_reminder_settings: PaymentReminderSettingsTable
  payment_reminder_switches: PaymentReminderSwitchesTable
  payment_reminders: PaymentRemindersTable
  payment_reminder_work: PaymentReminderWorkTable
  mails_taken_back: MailsTakenBackView
  chat_sessions: ChatSessionsTable
  chat_messages: ChatMessagesTable
  chat_proposals: ChatProposalsTable
  ai_uses: AiUsesTable
  admin_access_codes: AdminAccessCodesTable
  admin_claims: AdminClaimsTable
  sending_days: SendingDaysTable
  failed_addresses: FailedAddressesTable
  abuse_patterns: AbusePatternsTable
  abuse_answers: AbuseAnswersTable
  abuse_rounds: AbuseRoundsTable
  admin_notifications: AdminNotificationsTable
  own_models: OwnModelsTable
  ai_days: AiDaysTable
  ai_caps: AiCapsTable
  ai_house_days: AiHouseDaysTable
  writing_settings: WritingSettingsTable
  proposed_texts: ProposedTextsTable
  unsure_replies: UnsureRepliesTable
}
