import type { Generated } from 'kysely'
import type { ImapFailureKind } from '../../platform/gateways/imap.ts'

/** Why an account could not be read: a failure of its server, of its settings, or of ours. */
export type ReadFailureKind = ImapFailureKind | 'settings' | 'internal'

export type MailboxesTable = {
  user_id: number
  id: Generated<number>
  /** In use: the default account, or the practice mailbox. */
  is_primary: boolean
  /** The user's own account that is in use outside of practice. */
  is_default: Generated<boolean>
  is_practice: Generated<boolean>
  /** The operator's own server, for system mail. */
  is_system: Generated<boolean>
  address: string
  smtp_host: Generated<string>
  smtp_port: number | null
  smtp_username: Generated<string>
  smtp_password_box: string | null
  smtp_use_tls: Generated<boolean>
  imap_host: Generated<string>
  imap_port: number | null
  imap_username: Generated<string>
  imap_password_box: string | null
  imap_use_ssl: Generated<boolean>
  /** The provider whose tokens sign in to both servers; null: the passwords do. */
  oauth_provider: string | null
  hourly_limit: number | null
  tokens: Generated<number>
  tokens_at: Date | null
  send_pause_until: Date | null
  last_error: string | null
  next_read_at: Date | null
  reader_id: string | null
  /** It was not read while all mail of its user was paused, and has not been read since. */
  is_behind: Generated<boolean>
  read_failures: Generated<number>
  read_error: string | null
  read_error_kind: ReadFailureKind | null
  created_at: Date
  disconnected_at: Date | null
  /** Since when the account is new and sends few automatic mails a day; null: it is not new, or its owner does not want that. */
  warm_up_from: Date | null
}

/** What the owner of a mailbox has consented to at an OAuth provider. */
export type MailboxGrantsTable = {
  user_id: number
  mailbox_id: number
  issuer: string
  client_id: string
  subject: string
  refresh_token_box: string
  access_token_box: string
  expires_at: Date
  /** The issuer no longer takes the refresh token: the owner has to consent again. */
  withdrawn_at: Date | null
  failures: Generated<number>
  retry_at: Date | null
  trouble: string | null
}

/** Requests for consent that a browser has not come back from yet. */
export type OauthRequestsTable = {
  user_id: number
  state_signature: string
  session_id: string
  provider: string
  mailbox_id: number | null
  secrets_box: string
  expires_at: Date
}

/** Automatic follow-ups of a user. */
export type FollowUpSettingsTable = {
  user_id: number
  enabled: Generated<boolean>
  enabled_in_practice: Generated<boolean>
  max_days: Generated<number>
  daily_hour: Generated<number>
  last_run_at: Date | null
  last_sent_count: Generated<number>
}

export type MailboxFoldersTable = {
  user_id: number
  mailbox_id: number
  path: string
  role: string | null
  uid_validity: string | null
  low_uid: Generated<number>
  high_uid: Generated<number>
  mod_seq: string | null
  behind: Generated<number>
  last_read_at: Date | null
  last_error: string | null
}

/** Accounts used by a run in progress. */
type MailboxesInRunView = { user_id: number; mailbox_id: number }

type MailboxRefusalsView = {
  user_id: number
  mailbox_id: number
  path: string
  /** Emails whose changes the server has refused. */
  mails: number
  reason: string
  next_try_at: Date
}

type MailboxQuarantineView = {
  user_id: number
  mailbox_id: number
  path: string
  mails: number
  reason: string
}

/** A step of a pass, or the folder that it is about: see `trouble-sentences.ts`. */
export type TroubleKind =
  | 'actions'
  | 'drafts'
  | 'draft'
  | 'sent'
  | 'sent_copy'
  | 'folders'
  | 'folder'
  | 'changes'
  | 'emptied'
  | 'unlisted'
  | 'missing'

/** What could not be done with a mailbox, and when it is tried again. */
export type MailboxTroublesTable = {
  user_id: number
  mailbox_id: number
  id: Generated<number>
  kind: TroubleKind
  path: Generated<string>
  email_id: number | null
  reason: string
  tries: Generated<number>
  since: Date
  next_try_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    mailboxes: MailboxesTable
    follow_up_settings: FollowUpSettingsTable
    mailbox_folders: MailboxFoldersTable
    mailbox_grants: MailboxGrantsTable
    oauth_requests: OauthRequestsTable
    mailbox_quarantine: MailboxQuarantineView
    mailbox_refusals: MailboxRefusalsView
    mailboxes_in_run: MailboxesInRunView
    mailbox_troubles: MailboxTroublesTable
  }
}
