import * as z from 'zod/mini'
import { byId, done, email, file, intent, SUBJECT_MAX } from './email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { typedInstant } from '../platform/typed-instant.ts'
import {
  atMost,
  EMAIL_ADDRESS_MAX,
  emailAddress,
  id,
  instant,
  line,
  requiredLine,
  storable,
  text,
} from '../platform/values.ts'

export const CONTENT_MAX = 1_000_000
export const HTML_MAX = 2_000_000
export const RECIPIENTS_MAX = 100
export const ATTACHMENTS_MAX = 50
/** One file, and all files of one mail. What a provider takes is told by its own answer. */
export const ATTACHMENT_BYTES_MAX = 25 * 1024 * 1024
/** JSON of a mail in bytes. Both its texts at their longest fit, as long as few of their characters take more than a byte. */
const MAIL_BODY_MAX = 4 * 1024 * 1024
/** How long a mail can be taken back at most. */
export const UNDO_SECONDS_MAX = 30

const address = z
  .string()
  .check(z.trim(), z.minLength(1, 'Please enter an email address'))
  .check(atMost(EMAIL_ADDRESS_MAX, 'Please enter a valid email address'))
  .check(z.refine((value) => emailAddress.safeParse(value).success, 'Please enter a valid email address'))

/** Several addresses, `a@x.org, Bea <b@y.org>`, or none. */
const addressList = z.optional(text(20_000))

/** The addresses of a draft may be half typed, but not in several lines: nothing else checks them. */
const draftAddresses = z.optional(line(20_000))

/** What a mail carries beside recipient, subject and text. */
const extras = {
  /** The same words as HTML; what is not allowed in a mail is taken out. */
  html: z.optional(z.nullable(z.string().check(storable, atMost(HTML_MAX)))),
  cc: addressList,
  bcc: addressList,
  /** Ids of files uploaded before (`POST /emails/attachments`). */
  attachments: z.optional(z.array(id).check(atMost(ATTACHMENTS_MAX, 'At most 50 files in one mail'))),
  /** Message-ID of the mail that is answered. */
  in_reply_to: z.optional(z.nullable(text(SUBJECT_MAX))),
  /** A mail that is forwarded: its text, HTML and files are added below what was written. */
  forward_of: z.optional(z.nullable(id)),
  /** A mail that is answered: its text is quoted below what was written. */
  quote_of: z.optional(z.nullable(id)),
}

const words = z.optional(z.string().check(storable, atMost(CONTENT_MAX)))
const undoSeconds = z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(UNDO_SECONDS_MAX)))

/** A meeting that an answer arranges. */
export const proposedMeeting = z.object({
  title: requiredLine(300, 'Please enter a title'),
  start_iso: typedInstant,
  end_iso: typedInstant,
})

/** What a line of a proposed text was taken from: words of a mail, a free time, or the user's profile. */
export const textSource = z.object({
  /** Words of the proposed text. */
  line: z.string(),
  kind: z.enum(['email', 'time', 'profile']),
  /** Null where the mail was only given as text, and for other kinds. */
  email_id: z.nullable(z.number()),
  /** Who wrote the mail, empty for other kinds. */
  writer: z.string(),
  written_at: z.nullable(instant),
  /** Words that really stand there. */
  quote: z.string(),
})

const span = z.object({ start_iso: instant, end_iso: instant })

/** What writes mails. */
export const emailWriting = {
  send: endpoint({
    method: 'POST',
    path: '/emails/send',
    summary: 'Send a mail now, or at schedule_at',
    idempotent: true,
    bodyMax: MAIL_BODY_MAX,
    body: z.object({
      to: z.string().check(z.trim(), z.minLength(1, 'Please enter an email address'), atMost(20_000)),
      subject: requiredLine(SUBJECT_MAX, 'Please enter a subject'),
      content: z.string().check(storable, z.minLength(1, 'Please write something'), atMost(CONTENT_MAX)),
      schedule_at: z.optional(z.nullable(typedInstant)),
      ...extras,
      /** The draft that this was; it is gone once the mail is written down. */
      draft_id: z.optional(z.nullable(id)),
      /** The account to send through; by default that of the draft or of the answered mail, else the one in use. */
      mailbox_id: z.optional(z.nullable(id)),
      /** Waits so long before it leaves, so that it can be taken back. */
      undo_seconds: undoSeconds,
    }),
    /** Of an answer, `intent` is what the answered mail wanted. */
    reply: email,
  }),
  saveDraft: endpoint({
    method: 'POST',
    path: '/emails/save-draft',
    summary: 'Keep a mail as a draft',
    idempotent: true,
    bodyMax: MAIL_BODY_MAX,
    body: z.object({
      to: draftAddresses,
      subject: z.optional(line(SUBJECT_MAX)),
      content: words,
      from: z.optional(line(320)),
      ...extras,
      cc: draftAddresses,
      bcc: draftAddresses,
      /** The account to send through; by default that of the answered mail, else the one in use. */
      mailbox_id: z.optional(z.nullable(id)),
      /** Kept while it is written: fields may be empty. Otherwise recipient, subject and content are required. */
      autosave: z.optional(z.boolean()),
    }),
    reply: email,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/emails/:id',
    summary: 'Change a draft, or a scheduled mail that has not left; fields not given are kept',
    params: byId,
    bodyMax: MAIL_BODY_MAX,
    body: z.object({
      to: draftAddresses,
      subject: z.optional(line(SUBJECT_MAX)),
      content: words,
      ...extras,
      cc: draftAddresses,
      bcc: draftAddresses,
      mailbox_id: z.optional(z.nullable(id)),
      schedule_at: z.optional(z.nullable(typedInstant)),
    }),
    reply: email,
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/emails/:id',
    summary: 'Throw a draft away',
    params: byId,
    reply: done,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/emails/cancel/:id',
    summary: 'Take a mail back that is scheduled or can still be undone: it is a draft again',
    params: byId,
    reply: email,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/emails/resend/:id',
    summary: 'Try a mail that was refused, or is put off, again now',
    params: byId,
    reply: email,
  }),
  upload: endpoint({
    method: 'POST',
    path: '/emails/attachments',
    summary: 'Upload a file for a mail; one that no mail takes is gone after a day',
    upload: { maxBytes: ATTACHMENT_BYTES_MAX },
    reply: file,
  }),
  reply: endpoint({
    method: 'POST',
    path: '/emails/reply',
    summary: 'Answer a mail, and add the meeting that the answer arranges',
    idempotent: true,
    bodyMax: MAIL_BODY_MAX,
    body: z.object({
      email_id: z.optional(z.nullable(id)),
      to: z.optional(address),
      /** The text of the mail that is answered; only used where there is no `email_id`. */
      original: words,
      subject: z.optional(line(SUBJECT_MAX)),
      /** The answer; written by the language model or the template where it is absent. */
      body: words,
      ...extras,
      /** The account to send through; by default the one that received the mail. */
      mailbox_id: z.optional(z.nullable(id)),
      schedule: z.optional(z.nullable(proposedMeeting)),
      undo_seconds: undoSeconds,
    }),
    reply: z.object({ ...email.shape, intent, meeting_id: z.nullable(z.number()) }),
  }),
  replyPreview: endpoint({
    method: 'POST',
    path: '/emails/reply/preview',
    summary: 'Propose an answer; nothing is sent',
    bodyMax: MAIL_BODY_MAX,
    body: z.object({
      email_id: z.optional(z.nullable(id)),
      original: words,
      subject: z.optional(line(SUBJECT_MAX)),
    }),
    reply: z.object({
      body: z.string(),
      intent,
      schedule: z.nullable(z.object({ title: z.string(), start_iso: instant, end_iso: instant })),
      meeting_id: z.nullable(z.number()),
      /** Free times that the text may offer; `schedule` is the first. */
      times: z.array(span),
      /** True where the built-in rules wrote it, in English, and not the language model. */
      templated: z.boolean(),
      sources: z.array(textSource),
    }),
  }),
  followUpPreview: endpoint({
    method: 'POST',
    path: '/emails/follow-up/preview',
    summary: 'Propose a follow-up to an address; nothing is sent',
    body: z.object({ to: z.optional(line(320)) }),
    reply: z.object({
      body: z.string(),
      subject: z.string(),
      to: z.string(),
      contact_name: z.string(),
      /** Message-ID of our last mail to them, which the follow-up answers. */
      in_reply_to: z.nullable(z.string()),
      templated: z.boolean(),
      sources: z.array(textSource),
    }),
  }),
}
