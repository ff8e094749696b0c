import * as z from 'zod/mini'
import { id, instant } from './values.ts'

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

export const SUBJECT_MAX = 998
export const CONTENT_MAX = 1_000_000

/** Where an outgoing mail stands on its way; `reason` holds the far server's own words. */
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
  to: z.string(),
  /** Of a mail that the user has written: its recipients by name where one is known, else by address; else empty. */
  to_names: z.string(),
  /** In a list the first 300 characters of the text; in one mail the whole text. */
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
  /** How many mails the inbox shows as this one (same sender, same subject). */
  collapsed: z.number(),
  /** The account it belongs to; null once that is gone. */
  mailbox_id: z.nullable(z.number()),
  /** Until when it can be taken back (`POST /emails/cancel/{id}`), while it waits for that. */
  undo_until: z.nullable(instant),
})
export type EmailSummary = z.infer<typeof email>
/** A mail as a list or a single read gives it: the one names its files, the other says more of them. */
export type Email = Omit<EmailSummary, 'attachments'> & {
  attachments: (string | z.infer<typeof file>)[]
}

/** A file of a mail; `id` is its place, from 0. */
export const file = z.object({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  /** By this `attachments` names a file of a mail that is written here, to keep it when the mail is changed. */
  upload_id: z.optional(z.number()),
})

/** What an invitation says (RFC 5546, RFC 5545), as plain text; nothing of it is acted upon. */
export const invitation = z.object({
  method: z.enum(['request', 'cancel', 'reply', 'publish', 'counter', 'other']),
  title: z.string(),
  starts_at: z.nullable(instant),
  ends_at: z.nullable(instant),
  /** True for whole days: the times are then midnights of UTC. */
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
  /** The mail's text with the quoted part taken off. */
  new_words: z.string(),
  /** Where a sandboxed frame finds the mail's HTML, sanitized; good for a few minutes. Null for plain text. */
  html_url: z.nullable(z.string()),
  /** How many pictures and styles from elsewhere were left out. */
  remote_parts: z.number(),
  /** False where the mail was made to stop its reader: then it comes as plain text, and its source has the rest. */
  shown_in_full: z.boolean(),
  /** True once the user wants pictures from elsewhere of this mail, or of all of its sender's. */
  remote_allowed: z.boolean(),
  kind: z.enum(['personal', 'automatic', 'list', 'report', 'complaint']),
  attachments: z.array(file),
  /** The mail's HTML, sanitized, without anything from elsewhere; an own mail's as it was written. Null for plain text. */
  html: z.nullable(z.string()),
  /** Of a draft or a scheduled mail: the mail that stands below it. */
  quote_of: z.optional(z.nullable(id)),
  forward_of: z.optional(z.nullable(id)),
  /** The meeting that a text/calendar part speaks of. */
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
  /** Mails in the Sent folder, those still on their way among them. */
  sent: z.number(),
  scheduled: z.number(),
  /** Mails that have really left. */
  delivered: z.number(),
})

/** Path parameter of calls on one mail. */
export const byId = z.object({ id })
export const done = z.object({ ok: z.boolean() })
