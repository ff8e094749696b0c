import type { SessionsTable, UsersTable } from '../auth/tables.ts'
import type { ContactActivityView, ContactCountsTable, ContactsTable } from '../contacts/tables.ts'
import type {
  CorrespondentsTable,
  DeliveriesTable,
  EmailBodiesTable,
  EmailCountsTable,
  EmailLocationsTable,
  EmailsTable,
  QuarantinedMailsTable,
  SuppressionsTable,
} from '../emails/tables.ts'
import type { IdempotentRepliesTable } from '../http/tables.ts'
import type { WorkersTable } from '../jobs/tables.ts'
import type { MailboxesTable, MailboxFoldersTable, MailboxQuarantineView } from '../mailboxes/tables.ts'
import type { MeetingAttendeesTable, MeetingsTable } from '../meetings/tables.ts'
import type { OutreachBatchesTable, OutreachItemsTable } from '../outreach/tables.ts'
import type { PracticeAnswersTable, PracticeFirstPeopleTable } from '../practice-mail/tables.ts'

/** Every table of the database, the sum of the domains' row types. */
export type Tables = {
  users: UsersTable
  sessions: SessionsTable
  contacts: ContactsTable
  contact_activity: ContactActivityView
  contact_counts: ContactCountsTable
  meetings: MeetingsTable
  meeting_attendees: MeetingAttendeesTable
  mailboxes: MailboxesTable
  mailbox_folders: MailboxFoldersTable
  mailbox_quarantine: MailboxQuarantineView
  emails: EmailsTable
  email_bodies: EmailBodiesTable
  email_locations: EmailLocationsTable
  email_counts: EmailCountsTable
  quarantined_mails: QuarantinedMailsTable
  deliveries: DeliveriesTable
  correspondents: CorrespondentsTable
  suppressions: SuppressionsTable
  outreach_batches: OutreachBatchesTable
  outreach_items: OutreachItemsTable
  practice_answers: PracticeAnswersTable
  practice_first_people: PracticeFirstPeopleTable
  idempotent_replies: IdempotentRepliesTable
  workers: WorkersTable
}
