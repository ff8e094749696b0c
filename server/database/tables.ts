import type { SessionsTable, UsersTable } from '../auth/tables.ts'
import type { ContactActivityView, ContactCountsTable, ContactsTable } from '../contacts/tables.ts'
import type {
  CompositionsTable,
  CorrespondentsTable,
  DeliveriesTable,
  DeliveryHandsTable,
  EmailBodiesTable,
  EmailCountsTable,
  EmailFilesTable,
  EmailLocationsTable,
  EmailMailboxCountsTable,
  EmailSearchQueueTable,
  EmailSearchTable,
  EmailsTable,
  InboxGroupsTable,
  PendingActionsTable,
  QuarantinedMailsTable,
  StirredMailsTable,
  SuppressionsTable,
  TrustedSendersTable,
  UnsentCountsTable,
  UploadsTable,
} from '../emails/tables.ts'
import type { IdempotentRepliesTable } from '../http/tables.ts'
import type { WorkersTable } from '../jobs/tables.ts'
import type {
  MailboxesTable,
  MailboxFoldersTable,
  MailboxQuarantineView,
  MailboxRefusalsView,
} from '../mailboxes/tables.ts'
import type { MeetingAttendeesTable, MeetingsTable } from '../meetings/tables.ts'
import type { OutreachBatchesTable, OutreachItemsTable } from '../outreach/tables.ts'
import type { PracticeAnswersTable, PracticeFirstPeopleTable } from '../practice-mail/tables.ts'
import type { TodosTable } from '../todos/tables.ts'

/** Every table of the database, the sum of the domains' row types. */
export type Tables = {
  users: UsersTable
  sessions: SessionsTable
  todos: TodosTable
  contacts: ContactsTable
  contact_activity: ContactActivityView
  contact_counts: ContactCountsTable
  meetings: MeetingsTable
  meeting_attendees: MeetingAttendeesTable
  mailboxes: MailboxesTable
  mailbox_folders: MailboxFoldersTable
  mailbox_quarantine: MailboxQuarantineView
  mailbox_refusals: MailboxRefusalsView
  emails: EmailsTable
  email_bodies: EmailBodiesTable
  email_locations: EmailLocationsTable
  email_counts: EmailCountsTable
  email_mailbox_counts: EmailMailboxCountsTable
  email_search: EmailSearchTable
  email_search_queue: EmailSearchQueueTable
  inbox_groups: InboxGroupsTable
  unsent_counts: UnsentCountsTable
  quarantined_mails: QuarantinedMailsTable
  pending_actions: PendingActionsTable
  stirred_mails: StirredMailsTable
  uploads: UploadsTable
  email_files: EmailFilesTable
  compositions: CompositionsTable
  deliveries: DeliveriesTable
  delivery_hands: DeliveryHandsTable
  correspondents: CorrespondentsTable
  suppressions: SuppressionsTable
  trusted_senders: TrustedSendersTable
  outreach_batches: OutreachBatchesTable
  outreach_items: OutreachItemsTable
  practice_answers: PracticeAnswersTable
  practice_first_people: PracticeFirstPeopleTable
  idempotent_replies: IdempotentRepliesTable
  workers: WorkersTable
}
