import type { ColumnType, Generated } from 'kysely'
import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Folder } from '#contract/mail/emails.ts'

export type EmailFolder = Folder | 'deleted'
export type MailKind = 'personal' | 'automatic' | 'list' | 'report' | 'complaint'
/** `transactional`: part of a business that is under way, as an invoice is; who unsubscribed gets it too. */
export type Purpose = 'compose' | 'outreach' | 'follow_up' | 'reply' | 'system' | 'transactional' | 'test'

export type EmailsTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number | null
  direction: 'in' | 'out'
  folder: EmailFolder
  original_folder: string | null
  trashed_from: string | null
  kind: Generated<MailKind>
  purpose: Purpose | null
  intent: string | null
  message_id: string
  thread_id: number
  in_reply_to: string | null
  reference_ids: Generated<string[]>
  from_name: Generated<string>
  from_address: Generated<string>
  /** All senders, where there are several; otherwise empty. */
  from_line: Generated<string>
  to_line: Generated<string>
  correspondent_key: Generated<string>
  subject: Generated<string>
  snippet: Generated<string>
  collapse_key: Generated<string>
  is_read: Generated<boolean>
  is_starred: Generated<boolean>
  attachment_names: Generated<string[]>
  size: Generated<number>
  has_body: Generated<boolean>
  occurred_at: Date
  schedule_at: Date | null
  created_at: Date
  purge_at: Date | null
  /**
   * Of what is the same in every folder; null while only the envelope is known, and for mails that were written here. Of a
   * draft that was only continued here, that of the version before.
   */
  digest: string | null
}

/** Message-IDs that a provider gave its own copies of mails that were written here. */
type RewrittenMessageIdsTable = { user_id: number; message_id: string; email_id: number }

/** An attachment as `email_bodies.files` lists it, in the order of the mail. */
export type StoredFile = {
  name: string
  type: string
  size: number
  contentId: string | null
  inline: boolean
}

export type EmailBodiesTable = {
  user_id: number
  email_id: number
  text: Generated<string>
  html: string | null
  /** The HTML is in `raw`, and `html` is empty. */
  html_in_raw: Generated<boolean>
  cc_line: Generated<string>
  bcc_line: Generated<string>
  reply_to_line: Generated<string>
  files: ColumnType<StoredFile[], string | undefined, string>
  raw: Buffer | null
  raw_key: string | null
}

type EmailLocationsTable = {
  user_id: number
  mailbox_id: number
  path: string
  uid_validity: string
  uid: number
  email_id: number
}

type PendingActionsTable = {
  user_id: number
  mailbox_id: number
  email_id: number
  read: Generated<boolean>
  starred: Generated<boolean>
  moved: Generated<boolean>
  version: Generated<number>
  attempts: Generated<number>
  refusals: Generated<number>
  next_try_at: Date
  created_at: Date
  path: string | null
  last_error: string | null
  given_up_at: Date | null
}

type RelocationsTable = {
  user_id: number
  mailbox_id: number
  email_id: number
  noticed_at: Date
  may_be_gone: boolean
  gone_at: Date | null
  held_until: Date | null
}

type QuarantinedMailsTable = {
  user_id: number
  mailbox_id: number
  path: string
  uid_validity: string
  uid: number
  reason: string
  size: Generated<number>
  put_aside_at: Date
  tries: Generated<number>
  next_try_at: Generated<Date>
}

type EmailCountsTable = {
  user_id: number
  folder: string
  total: Generated<number>
  unread: Generated<number>
  starred: Generated<number>
  with_files: Generated<number>
  received: Generated<number>
  shown: Generated<number>
}

type EmailMailboxCountsTable = {
  user_id: number
  mailbox_id: number
  folder: string
  total: Generated<number>
  unread: Generated<number>
  starred: Generated<number>
  with_files: Generated<number>
  received: Generated<number>
}

type InboxGroupsTable = {
  user_id: number
  collapse_key: string
  newest_at: Date
  newest_id: number
  mails: number
  unread: number
}

type EmailSearchTable = {
  user_id: number
  email_id: number
  occurred_at: Date
  words: string
}

type EmailSearchQueueTable = {
  user_id: number
  email_id: number
  place: Generated<number>
  occurred_at: Date
}

type UnsentCountsTable = {
  user_id: number
  slot: number
  unsent: number
}

export type DeliveryState =
  | 'queued'
  | 'held'
  | 'claimed'
  | 'committed'
  | 'sent'
  | 'deferred'
  | 'failed'
  | 'unsure'

type DeliveryQueue = 'due' | 'held' | 'unsure' | 'failed'

export type DeliveriesTable = {
  user_id: number
  email_id: number
  mailbox_id: number
  group_id: number | null
  state: DeliveryState
  /** What the indexes know of the state; null: it has left for good. */
  queue: ColumnType<DeliveryQueue | null, DeliveryQueue | undefined, DeliveryQueue | null>
  recipients: string[]
  priority: Generated<number>
  templated: Generated<boolean>
  attempt: Generated<number>
  resends: Generated<number>
  after_crash: Generated<boolean>
  worker_id: string | null
  reason: string | null
  next_try_at: Date
  settled_at: Date | null
  in_sent_folder: Generated<boolean>
}

/** Emails that waited in a backup and may have left since. */
type HeldMailsTable = { user_id: number; email_id: number; due_at: Date }

/** A worker that has, or had, mails of a mailbox in hand. */
type DeliveryWorkersTable = {
  user_id: number
  mailbox_id: number
  worker_id: string
}

type CorrespondentsTable = {
  user_id: number
  address_key: string
  first_sent_at: Date | null
  last_sent_at: Date | null
  last_received_at: Date | null
  follow_ups: Generated<number>
  replied_at: Date | null
  interested_at: Date | null
  bounced_at: Date | null
}

/** What stays of the suppressions of removed accounts. */
type KeptSuppressionsTable = { signature: string; reason: SuppressionReason }

export type SuppressionsTable = {
  user_id: number
  address_key: string
  reason: SuppressionReason
  detail: Generated<string>
  email_id: number | null
  created_at: Date
}

/** Senders whose mails may load remote pictures. */
type TrustedSendersTable = {
  user_id: number
  address_key: string
  trusted_at: Date
}

/** An uploaded file for mails written here; its bytes are in the blob store. */
export type UploadsTable = {
  user_id: number
  id: Generated<number>
  name: string
  type: string
  size: number
  blob_key: string
  is_used: Generated<boolean>
  created_at: Date
}

type EmailFilesTable = {
  user_id: number
  email_id: number
  place: number
  upload_id: number
  content_id: string | null
  inline: Generated<boolean>
  is_quoted: Generated<boolean>
}

/** What is known of a mail that was written here besides its content. */
export type CompositionsTable = {
  user_id: number
  email_id: number
  own_text: string | null
  own_html: string | null
  quote_of: number | null
  forward_of: number | null
  meeting_id: number | null
  sent_as: number | null
  version: Generated<number>
  file_at: Date | null
  /** Of the versions that were last appended to Drafts, newest first. */
  appended_digests: Generated<string[]>
}

type MailActivityTable = {
  user_id: number
  /** The start of an hour; the counts are for its four quarters. */
  at: Date
  source: 'left' | 'read'
  sent: Generated<number[]>
  replies: Generated<number[]>
}

export type WritingSettingsTable = {
  user_id: number
  learns_tone: boolean
  reads_replies: boolean
}

/** Texts that Howl has proposed. */
type ProposedTextsTable = {
  user_id: number
  hash: string
  proposed_at: Date
}

/** Replies that a language model is still to be asked about. */
type UnsureRepliesTable = {
  user_id: number
  email_id: number
  queued_at: Date
  next_try_at: Date
  tries: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
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
    writing_settings: WritingSettingsTable
    proposed_texts: ProposedTextsTable
    unsure_replies: UnsureRepliesTable
  }
}
