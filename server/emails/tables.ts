import type { ColumnType, Generated } from 'kysely'

export type EmailFolder =
  | 'inbox'
  | 'sent'
  | 'drafts'
  | 'scheduled'
  | 'archived'
  | 'spam'
  | 'trash'
  | 'deleted'
export type MailKind = 'personal' | 'automatic' | 'list' | 'report' | 'complaint'
export type Purpose = 'compose' | 'outreach' | 'follow_up' | 'reply'

export type EmailsTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number | null
  direction: 'in' | 'out'
  folder: EmailFolder
  original_folder: string | null
  kind: Generated<MailKind>
  purpose: Purpose | null
  intent: string | null
  message_id: string
  thread_id: number
  in_reply_to: string | null
  reference_ids: Generated<string[]>
  from_name: Generated<string>
  from_address: Generated<string>
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
}

/** One attachment as `email_bodies.files` keeps it, in the order of the mail. */
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
  cc_line: Generated<string>
  bcc_line: Generated<string>
  reply_to_line: Generated<string>
  files: ColumnType<StoredFile[], string | undefined, string>
  raw: Buffer | null
  raw_key: string | null
}

export type EmailLocationsTable = {
  user_id: number
  mailbox_id: number
  path: string
  uid_validity: string
  uid: number
  email_id: number
}

export type QuarantinedMailsTable = {
  user_id: number
  mailbox_id: number
  path: string
  uid_validity: string
  uid: number
  reason: string
  size: Generated<number>
  put_aside_at: Date
}

export type EmailCountsTable = {
  user_id: number
  folder: string
  total: Generated<number>
  unread: Generated<number>
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

export type DeliveriesTable = {
  user_id: number
  email_id: number
  mailbox_id: number
  group_id: number | null
  state: DeliveryState
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

export type CorrespondentsTable = {
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

export type SuppressionsTable = {
  user_id: number
  address_key: string
  reason: 'unsubscribed' | 'bounced' | 'complaint' | 'manual'
  detail: Generated<string>
  email_id: number | null
  created_at: Date
}
