import * as z from 'zod/mini'
import { id, instant } from '../platform/values.ts'

export const FOLDERS = ['inbox', 'sent', 'drafts', 'scheduled', 'archived', 'spam', 'trash'] as const
export const folder = z.enum(FOLDERS)
export type Folder = z.infer<typeof folder>

export const EMAIL_STATUSES = [
  'received',
  'sent',
  'draft',
  'archived',
  'trashed',
  'spam',
  'deleted',
  'scheduled',
] as const

export const INTENTS = [
  'interested',
  'not_interested',
  'meeting_request',
  'question',
  'out_of_office',
  'unsubscribe',
  'other',
] as const
export const intent = z.enum(INTENTS)
export type Intent = z.infer<typeof intent>

/** True if the sender of such a reply gets no more automatic email. */
export const isRefusal = (intent: Intent): boolean => intent === 'not_interested' || intent === 'unsubscribe'

export const SUBJECT_MAX = 998

/** The delivery state of a mail; `reason` holds the remote server's own text. */
export const delivery = z.object({
  state: z.enum(['queued', 'sending', 'sent', 'deferred', 'failed', 'unsure']),
  reason: z.optional(z.string()),
  next_try_at: z.optional(instant),
})
export type Delivery = z.infer<typeof delivery>

export const email = z.object({
  id,
  subject: z.string(),
  from: z.string(),
  from_name: z.string(),
  /** All senders, where there are several (RFC 5322 3.6.2); otherwise empty. `from` and `from_name` are the first. */
  from_line: z.string(),
  /** Who it is from, in one line: names, or real addresses where a name is none of its own. */
  sender: z.string(),
  to: z.string(),
  /** For the user's own mails: recipients by name if known, otherwise by address. Otherwise empty. */
  to_names: z.string(),
  /** In a list the first 300 characters of the text; for one mail the whole text. */
  content: z.string(),
  status: z.enum(EMAIL_STATUSES),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  timestamp: instant,
  attachments: z.array(z.string()),
  tags: z.array(z.string()),
  original_folder: z.nullable(z.string()),
  schedule_at: z.nullable(instant),
  thread_id: z.number(),
  contact_id: z.nullable(z.number()),
  intent: z.nullable(intent),
  delivery: z.nullable(delivery),
  /** How many mails the inbox shows as this one (same sender, same subject; or all delivery reports). */
  collapsed: z.number(),
  /** A delivery report about a mail of the user's. */
  is_report: z.boolean(),
  /** The account it belongs to; null once that is deleted. */
  mailbox_id: z.nullable(z.number()),
  /** Until when it can be taken back (`POST /emails/cancel/{id}`), if it is waiting for that. */
  undo_until: z.nullable(instant),
})
export type EmailSummary = z.infer<typeof email>
/** A mail as a list or a single read gives it: the one names its files, the other says more of them. */
export type Email = Omit<EmailSummary, 'attachments'> & {
  attachments: (string | z.infer<typeof file>)[]
}

/** An attachment; `id` is its position, from 0. */
export const file = z.object({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  /** `attachments` uses this to keep an existing file when a mail is changed. */
  upload_id: z.optional(z.number()),
})

/** The content of an invitation (RFC 5546, RFC 5545), as plain text; it has no effect by itself. */
export const invitation = z.object({
  method: z.enum(['request', 'cancel', 'reply', 'publish', 'counter', 'other']),
  title: z.string(),
  starts_at: z.nullable(instant),
  ends_at: z.nullable(instant),
  /** True for whole days: the times are then midnights in UTC. */
  all_day: z.boolean(),
  location: z.string(),
  organizer: z.string(),
  attendees: z.array(z.string()),
  /** True for a series; only its first meeting is shown. */
  recurs: z.boolean(),
})
export type Invitation = z.infer<typeof invitation>

export const emailDetail = z.object({
  ...email.shape,
  cc: z.string(),
  bcc: z.string(),
  reply_to: z.string(),
  message_id: z.string(),
  in_reply_to: z.nullable(z.string()),
  /** The mail's text without the quoted part. */
  new_words: z.string(),
  /** The URL of the mail's sanitized HTML for a sandboxed frame, valid for a few minutes. Null for plain text. */
  html_url: z.nullable(z.string()),
  /** How many remote pictures and styles were left out. */
  remote_parts: z.number(),
  /** False where the mail was made to stop its reader: then it comes as plain text, and its source has the rest. */
  shown_in_full: z.boolean(),
  /** True if the user allows remote pictures for this mail, or for all mails of its sender. */
  remote_allowed: z.boolean(),
  kind: z.enum(['personal', 'automatic', 'list', 'report', 'complaint']),
  attachments: z.array(file),
  /** The mail's HTML, sanitized, without remote content; a user's own mail as it was written. Null for plain text. */
  html: z.nullable(z.string()),
  /** For a draft or a scheduled mail: the mail quoted or forwarded below it. */
  quote_of: z.optional(z.nullable(id)),
  forward_of: z.optional(z.nullable(id)),
  /** The meeting in a text/calendar part. */
  invitation: z.nullable(invitation),
})
export type EmailDetail = z.infer<typeof emailDetail>

export const emailCounts = z.object({
  unread_inbox: z.number(),
  drafts: z.number(),
  archived: z.number(),
  trash: z.number(),
  spam: z.number(),
  inbox: z.number(),
  /** Mails in the Sent folder, including those still on their way. */
  sent: z.number(),
  scheduled: z.number(),
  /** Mails that have actually been sent. */
  delivered: z.number(),
})

/** Path parameter of calls on one mail. */
export const byId = z.object({ id })
export const done = z.object({ ok: z.boolean() })
