import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailAddress, id, instant, paging, requiredText, storable, text, typedInstant } from './values.ts'

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
})
export type Email = z.infer<typeof email>

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
  kind: z.enum(['personal', 'automatic', 'list', 'report', 'complaint']),
  files: z.array(z.object({ id: z.number(), name: z.string(), type: z.string(), size: z.number() })),
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

const byId = z.object({ id })
const done = z.object({ ok: z.boolean() })
const address = z
  .string()
  .check(z.trim(), z.minLength(1, 'Please enter an email address'))
  .check(z.refine((value) => emailAddress.safeParse(value).success, 'Please enter a valid email address'))

export const emails = {
  list: endpoint({
    method: 'GET',
    path: '/emails/',
    access: 'user',
    summary: 'Mails of a folder, newest first',
    query: z.object({
      folder: z._default(folder, 'inbox'),
      search: z.optional(text(200)),
      filter: z.optional(z.enum(['all', 'starred', 'unread', 'sent', 'received', 'attachments'])),
      timezone: z.optional(text(64)),
      ...paging,
    }),
    reply: z.array(email),
    errors: ['INVALID_INPUT'],
  }),
  counts: endpoint({
    method: 'GET',
    path: '/emails/counts',
    access: 'user',
    summary: 'How many mails each folder holds',
    reply: emailCounts,
  }),
  get: endpoint({
    method: 'GET',
    path: '/emails/:id',
    access: 'user',
    summary: 'One mail',
    params: byId,
    reply: emailDetail,
    errors: ['NOT_FOUND'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/emails/send',
    access: 'user',
    summary: 'Send a mail now, or at schedule_at',
    idempotent: true,
    body: z.object({
      to: address,
      subject: requiredText(SUBJECT_MAX, 'Please enter a subject'),
      content: z.string().check(storable, z.minLength(1, 'Please write something'), z.maxLength(CONTENT_MAX)),
      schedule_at: z.optional(z.nullable(typedInstant)),
      in_reply_to: z.optional(z.nullable(text(SUBJECT_MAX))),
    }),
    reply: email,
    errors: ['INVALID_INPUT', 'SMTP_NOT_CONFIGURED', 'MAIL_SERVER'],
  }),
  frame: endpoint({
    method: 'GET',
    path: '/emails/:id/frame',
    access: 'public',
    summary: "A mail's HTML for a sandboxed frame, under its own policy; the signed link comes with the mail",
    params: byId,
    query: z.object({
      key: z.string().check(z.maxLength(200)),
      /** `1` also loads pictures from elsewhere. */
      remote: z.optional(z.enum(['0', '1'])),
    }),
    download: 'text/html',
    errors: ['NOT_FOUND'],
  }),
  attachment: endpoint({
    method: 'GET',
    path: '/emails/:id/attachments/:n',
    access: 'user',
    summary: 'One attachment, always as a download',
    params: z.object({ id, n: z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000)) }),
    download: 'application/octet-stream',
    errors: ['NOT_FOUND'],
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/emails/mark-read/:id',
    access: 'user',
    summary: 'Mark a mail as read',
    params: byId,
    reply: done,
    errors: ['NOT_FOUND'],
  }),
  responseRate: endpoint({
    method: 'GET',
    path: '/emails/response-rate',
    access: 'user',
    summary: 'Contacts who replied, of the contacts mailed',
    reply: z.object({ responseRate: z.string(), replied: z.number(), mailed: z.number() }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/emails/health',
    access: 'user',
    summary: 'Whether this server can take a bulk run',
    reply: z.object({ status: z.literal('ok'), configured: z.boolean() }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/emails/fast-imap-check',
    access: 'user',
    summary: 'Look for new mail in the inbox now',
    reply: z.object({ new_emails: z.number(), message: z.string() }),
    errors: ['IMAP_NOT_CONFIGURED', 'MAIL_SERVER'],
  }),
  ingest: endpoint({
    method: 'POST',
    path: '/emails/ingest-imap',
    access: 'user',
    summary: 'Fetch new mail of all folders now',
    reply: z.object({ ingested: z.number(), message: z.string() }),
    errors: ['IMAP_NOT_CONFIGURED', 'MAIL_SERVER'],
  }),
  unsubscribePage: endpoint({
    method: 'GET',
    path: '/unsubscribe/:token',
    access: 'public',
    summary: 'Whom the link of a mail stands for; changes nothing',
    params: z.object({ token: z.string().check(z.maxLength(300)) }),
    reply: z.object({ address: z.string(), sender: z.string(), unsubscribed: z.boolean() }),
    errors: ['NOT_FOUND'],
    limit: { max: 120, seconds: 300 },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/unsubscribe/:token',
    // The address that stands in List-Unsubscribe: mail programs POST to the very page that people open.
    root: true,
    access: 'public',
    summary: 'Take an address off the list; no session needed (RFC 8058)',
    params: z.object({ token: z.string().check(z.maxLength(300)) }),
    reply: z.object({ address: z.string(), sender: z.string(), unsubscribed: z.boolean() }),
    errors: ['NOT_FOUND'],
    limit: { max: 600, seconds: 300 },
  }),
}
