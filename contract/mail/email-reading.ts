import * as z from 'zod/mini'
import { byId, done, email, emailCounts, emailDetail, folder } from './email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, id, paging, text } from '../platform/values.ts'

export const SEARCH_MAX = 200
/** The number of mails not searchable yet is counted up to this. */
export const NOT_SEARCHABLE_MAX = 100_000

/** Calls that show mails and fetch them from the account. */
export const emailReading = {
  list: endpoint({
    method: 'GET',
    path: '/emails/',
    summary: 'Mails of a folder, newest first',
    query: z.object({
      folder: z._default(folder, 'inbox'),
      /**
       * Words and "phrases" in sender, recipients, subject and text, and `from:`, `to:`, `subject:`, `has:attachment`,
       * `is:unread`, `is:read`, `is:starred`, `in:folder`, `before:2026-01-31`, `after:2026`; anything else is words. The
       * newest 1,000 found are listed and counted in `X-Total-Count`; `X-More-Found: true` says that there are older
       * ones (`before:` leads to them), `X-Not-Searchable-Yet` how many mails cannot be found yet (at most 100,000 are counted).
       */
      search: z.optional(text(SEARCH_MAX)),
      filter: z.optional(z.enum(['all', 'starred', 'unread', 'sent', 'received', 'attachments', 'reports'])),
      /**
       * `true`: mails of one sender with one subject are shown as one row, the newest, with their number; it is
       * unread while one of them is. So are all delivery reports about the user's mails (`filter=reports` lists them). Only for the whole inbox: with a filter, a search or one account all mails are
       * listed.
       */
      collapse: z.optional(z.enum(['true', 'false'])),
      /** One account of several. */
      mailbox: z.optional(id),
      /** The time zone for the days of `before:` and `after:`. */
      timezone: z.optional(text(64)),
      /**
       * The last mail of the previous page (as in `Link`): the next page starts there, at the same cost however deep.
       */
      after: z.optional(id),
      ...paging,
    }),
    reply: z.array(email),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/emails/counts',
    summary: 'How many mails each folder holds; `delivered` is of all accounts',
    query: z.object({
      /** One account of several. */
      mailbox: z.optional(id),
    }),
    reply: emailCounts,
  }),
  get: endpoint({
    method: 'GET',
    path: '/emails/:id',
    summary: 'One mail',
    params: byId,
    reply: emailDetail,
  }),
  thread: endpoint({
    method: 'GET',
    path: '/emails/:id/thread',
    summary: 'The conversation of a mail, oldest first; deleted ones and those in the trash left out',
    params: byId,
    reply: z.array(email),
  }),
  source: endpoint({
    method: 'GET',
    path: '/emails/:id/source',
    summary: 'The mail as it travelled (RFC 5322), as text',
    params: byId,
    download: 'text/plain',
  }),
  trustSender: endpoint({
    method: 'POST',
    path: '/emails/:id/trust-sender',
    summary: "Always load pictures from elsewhere in this sender's mails, or no longer",
    params: byId,
    body: z.object({ trusted: z.boolean() }),
    reply: done,
  }),
  frame: endpoint({
    method: 'GET',
    path: '/emails/:id/frame',
    access: 'public',
    summary: "A mail's HTML for a sandboxed frame, under its own policy; the signed link comes with the mail",
    params: byId,
    query: z.object({
      key: z.string().check(atMost(200)),
      /** `1` also loads remote pictures. */
      remote: z.optional(z.enum(['0', '1'])),
    }),
    download: 'text/html',
  }),
  attachment: endpoint({
    method: 'GET',
    path: '/emails/:id/attachments/:n',
    summary: 'One attachment, as a download; with `preview` pictures, PDF and text under their own type',
    params: z.object({ id, n: z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000)) }),
    query: z.object({ preview: z.optional(z.enum(['true', 'false'])) }),
    download: 'application/octet-stream',
  }),
  responseRate: endpoint({
    method: 'GET',
    path: '/emails/response-rate',
    summary: 'Contacts who replied, of the contacts mailed',
    reply: z.object({ responseRate: z.string(), replied: z.number(), mailed: z.number() }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/emails/health',
    summary: 'Whether this server can take a bulk run',
    reply: z.object({ status: z.literal('ok'), configured: z.boolean() }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/emails/fast-imap-check',
    summary: 'Look for new mail in the inbox now',
    reply: z.object({ new_emails: z.number(), message: z.string() }),
  }),
  ingest: endpoint({
    method: 'POST',
    path: '/emails/ingest-imap',
    summary: 'Fetch new mail of all folders now',
    reply: z.object({ ingested: z.number(), message: z.string() }),
  }),
}
